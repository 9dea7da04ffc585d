/** A window whose history behaves as in browsers: `go` takes effect later, and then fires `popstate`. */
export function fakeWindow(href: string, origin = 'http://localhost'): Window {
  const events = new EventTarget()
  const entries: { url: URL; state: unknown }[] = [{ url: new URL(href, origin), state: null }]
  let index = 0
  const now = () => entries[index] ?? { url: new URL(origin), state: null }
  const go = (steps: number): void => {
    setTimeout(() => {
      if (entries[index + steps] === undefined) return
      index += steps
      events.dispatchEvent(new Event('popstate'))
    })
  }
  return {
    addEventListener: events.addEventListener.bind(events),
    dispatchEvent: events.dispatchEvent.bind(events),
    get location() {
      return now().url
    },
    history: {
      get state() {
        return now().state
      },
      pushState(state: unknown, _title: string, to: string) {
        entries.splice(index + 1, Infinity, { url: new URL(to, now().url), state })
        index += 1
      },
      replaceState(state: unknown, _title: string, to?: string) {
        entries[index] = { url: to === undefined ? now().url : new URL(to, now().url), state }
      },
      back: () => go(-1),
      forward: () => go(1),
      go,
    },
  } as unknown as Window
}
