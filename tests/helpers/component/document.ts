/** Creates a document for every component test file (`setupFiles`): jsdom in addition to the globals of Node. */
import { JSDOM } from 'jsdom'

/** jsdom has no layout: every element has this size, so that the grid renders all rows of a short folder. */
const SIZE = { width: 1280, height: 800 }

/** Node has these too, but the page needs those of its document. */
const REPLACED = ['Event', 'CustomEvent', 'EventTarget', 'MessageEvent', 'navigator', 'localStorage', 'sessionStorage']

/** Functions that jsdom calls with the window as `this`. */
const BOUND = ['addEventListener', 'removeEventListener', 'dispatchEvent', 'getComputedStyle'] as const

export const dom = new JSDOM('<!doctype html><html lang="en"><body></body></html>', {
  url: 'http://localhost/',
  pretendToBeVisual: true,
})

shareGlobals()
takeForeignSignals()
addLayout()

// It looks for the document when it is loaded.
const { configure } = await import('@testing-library/dom')
// For what never appears: signing in, fetching and rendering are slow on a busy machine.
configure({ asyncUtilTimeout: 300_000 })

function nothing(): void {
  return
}

function shareGlobals(): void {
  const { window } = dom
  const own = window as unknown as Record<string, unknown>
  for (const name of Object.getOwnPropertyNames(window)) {
    if (name in globalThis && !REPLACED.includes(name)) continue
    Object.defineProperty(globalThis, name, { configurable: true, writable: true, value: own[name] })
  }
  for (const name of BOUND) {
    Object.assign(globalThis, { [name]: (window[name] as (...args: unknown[]) => unknown).bind(window) })
  }
  window.scrollTo = () => undefined
  // Errors caught by a boundary of the page fail no test, but are printed.
  const reportError = (error: unknown) => console.error(error)
  // jsdom has no IndexedDB; this one never responds.
  const indexedDB = { open: () => ({}) }
  Object.assign(globalThis, { reportError, scrollTo: window.scrollTo, isSecureContext: true, indexedDB })
  Object.assign(globalThis, { window: globalThis, self: globalThis, CSS: { escape: (text: string) => text } })
}

/** jsdom rejects the abort signals of Node, which fetch requires. */
function takeForeignSignals(): void {
  const { prototype } = EventTarget
  const plain = prototype.addEventListener
  prototype.addEventListener = function (type, listener, options) {
    if (typeof options !== 'object' || options.signal === undefined) return plain.call(this, type, listener, options)
    const { signal, ...rest } = options
    if (signal.aborted) return
    plain.call(this, type, listener, rest)
    signal.addEventListener('abort', () => this.removeEventListener(type, listener, rest))
  }
  globalThis.addEventListener = dom.window.addEventListener.bind(dom.window) as typeof addEventListener
}

function addLayout(): void {
  const { width, height } = SIZE
  const sizes = { clientWidth: width, clientHeight: height, offsetWidth: width, offsetHeight: height }
  for (const [name, value] of Object.entries(sizes)) {
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value })
  }
  for (const name of ['scrollTo', 'scrollBy', 'scrollIntoView'] as const) HTMLElement.prototype[name] = () => undefined
  const contentRect = { x: 0, y: 0, left: 0, top: 0, right: width, bottom: height, width, height, toJSON: () => '' }
  const box = [{ inlineSize: width, blockSize: height }]
  const boxes = { contentRect, borderBoxSize: box, contentBoxSize: box, devicePixelContentBoxSize: box }
  globalThis.ResizeObserver = class {
    readonly #notify: ResizeObserverCallback
    constructor(notify: ResizeObserverCallback) {
      this.#notify = notify
    }
    observe(target: Element): void {
      queueMicrotask(() => this.#notify([{ target, ...boxes }], this))
    }
    readonly unobserve = nothing
    readonly disconnect = nothing
  }
  const listeners = { addEventListener: nothing, removeEventListener: nothing }
  globalThis.matchMedia = (media) =>
    ({ media, matches: media.includes('reduced-motion'), ...listeners }) as unknown as MediaQueryList
}
