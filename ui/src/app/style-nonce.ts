/**
 * Dialogs and menus lock the page behind them with a `<style>` element of their own. The content security policy lets in
 * only those that carry the nonce of this page; the library takes it from this global.
 */
export function allowInjectedStyles(page: Document): void {
  const nonce = page.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
  if (nonce) Object.assign(globalThis, { __webpack_nonce__: nonce })
}
