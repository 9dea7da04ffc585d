/** What was typed or pasted before the code that takes it was there. A string is pasted text. */
export type KeptInput = KeyboardEvent | ClipboardEvent | string

/** Code on its way, from `expect` until what it returned is called. */
interface Coming {
  /** It takes the focus with it, as a dialog does: everything that is typed is for it. Else it only brings shortcuts. */
  readonly all: boolean
  readonly onKept: (() => void) | undefined
}

export interface EarlyInput {
  expect(all: boolean, onKept?: () => void): () => void
  /** Takes a key press that nobody hears; keeps it when code that may hear it is on its way. */
  offer(press: KeyboardEvent, typing: boolean): void
  /** Gives out what may be given out by now. */
  replay(): void
  listen(): () => void
}

/** After so many milliseconds keys do what they did before: the network may be gone. */
const PATIENCE = 10_000

/**
 * Keeps keys and pasted text while the code that is to take them is being fetched, and gives them out in their order once
 * it is there. A press of the pointer drops them: it may have changed what they would act on.
 *
 * @param hears says whether a shortcut is known by now
 */
export function createEarlyInput(hears: (press: KeyboardEvent) => boolean): EarlyInput {
  const coming = new Set<Coming>()
  let kept: KeptInput[] = []
  const isAny = (all: boolean): boolean => [...coming].some((each) => each.all === all)
  const keep = (event: Event, input: KeptInput): void => {
    event.preventDefault()
    event.stopImmediatePropagation()
    kept.push(input)
    for (const { onKept } of coming) onKept?.()
  }
  const mustWait = (input: KeptInput): boolean => {
    if (isAny(true)) return true
    if (typeof input === 'string' || !isAny(false)) return false
    return input instanceof ClipboardEvent || (isLate(input, false) && !hears(input))
  }
  const replay = async (): Promise<void> => {
    const { replayInput } = await import('./replay-input.ts')
    for (let next = kept[0]; next !== undefined && !mustWait(next); next = kept[0]) {
      kept.shift()
      replayInput(next)
      // What it has opened may want the rest.
      await new Promise((resolve) => setTimeout(resolve))
    }
  }
  // Once the page has drawn what has come.
  const replaySoon = (): void => {
    if (kept.length > 0) setTimeout(() => void replay().catch(() => (kept = [])))
  }
  const handle = (event: KeyboardEvent | ClipboardEvent): void => {
    if (!event.isTrusted || !(kept.length > 0 || isAny(true) || event.type === 'copy' || event.type === 'cut')) return
    if (event instanceof KeyboardEvent) {
      if (!event.isComposing && (isPlain(event) || isLate(event, false))) keep(event, event)
    } else if (event.type !== 'paste') {
      if (isAny(false) && getSelection()?.isCollapsed === true) keep(event, event)
    } else if (event.clipboardData?.types.includes('Files') === false) {
      keep(event, event.clipboardData.getData('text/plain'))
    }
  }
  return {
    expect(all, onKept) {
      const one = { all, onKept }
      const end = (): void => {
        clearTimeout(timer)
        coming.delete(one)
        replaySoon()
      }
      const timer = setTimeout(end, PATIENCE)
      coming.add(one)
      if (kept.length > 0) onKept?.()
      return end
    },
    offer(press, typing) {
      if (press.isTrusted && isAny(false) && isLate(press, typing)) keep(press, press)
    },
    replay: replaySoon,
    listen() {
      const listening = new AbortController()
      const options = { capture: true, signal: listening.signal }
      for (const type of ['keydown', 'copy', 'cut', 'paste'] as const) addEventListener(type, handle, options)
      addEventListener('pointerdown', () => (kept = []), options)
      return () => listening.abort()
    },
  }
}

/** Neither of the browser nor of the system, as far as one can tell: also what AltGr types. */
function isPlain({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey === altKey && !metaKey && !/^F\d/.test(key)
}

/** The shortcuts whose code is fetched after the first view; two of them are heard in fields too. */
function isLate({ key, ctrlKey, altKey, metaKey }: KeyboardEvent, typing: boolean): boolean {
  if (ctrlKey || metaKey) return (typing ? /^[kF]$/ : /^[kFhlsz`]$/).test(key)
  return !typing && (altKey ? key === 'Enter' : /^(Delete|F2|F4|F10|\/)$/.test(key))
}
