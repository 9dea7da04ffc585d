import type { ServerEvent } from '../../../domain/automation/event.ts'

/** Most events that wait for one client. More are replaced by a "gap" event, to bound memory. */
const MAX_WAITING = 200

/** Events for one client. An event that repeats before it is read is delivered once, in its latest form. */
export class EventQueue {
  readonly #waiting = new Map<string, ServerEvent>()
  #wake: (() => void) | undefined
  #hasEnded = false

  push(event: ServerEvent): void {
    if (this.#hasEnded) return
    const key = keyOf(event)
    if (this.#waiting.size >= MAX_WAITING && !this.#waiting.has(key)) {
      this.#waiting.clear()
      this.#waiting.set('gap', { name: 'gap', data: {} })
    }
    this.#waiting.set(key, event)
    this.#wake?.()
  }

  /** Queued events are still delivered; no more are added. */
  end(last?: ServerEvent): void {
    if (last !== undefined) this.push(last)
    this.#hasEnded = true
    this.#wake?.()
  }

  /** The next event; undefined after the last one. */
  async next(): Promise<ServerEvent | undefined> {
    for (;;) {
      const [first] = this.#waiting
      if (first !== undefined) {
        this.#waiting.delete(first[0])
        return first[1]
      }
      if (this.#hasEnded) return undefined
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      await promise
    }
  }
}

function keyOf({ name, data }: ServerEvent): string {
  if (name === 'job') return `job ${data.id}`
  return name === 'folder' ? `folder ${data.path}` : name
}
