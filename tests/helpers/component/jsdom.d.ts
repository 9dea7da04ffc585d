/** The little of jsdom that the component tests use. */
declare module 'jsdom' {
  export class JSDOM {
    constructor(html: string, options: { readonly url: string; readonly pretendToBeVisual: boolean })
    readonly window: Window & typeof globalThis
    reconfigure(settings: { readonly url: string }): void
  }
}
