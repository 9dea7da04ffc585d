import type { Delivery, WebhookState } from '../../domain/webhook.ts'
import type { Random } from '../../platform/security/random.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Milliseconds before each further attempt. After the last one, the event is lost. */
export const RETRY_DELAYS: readonly number[] = [
  SECOND,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  6 * HOUR,
]
const LONGEST_DELAY = 7.2 * HOUR

/** Of one webhook. */
export const MAX_DELIVERIES = 2000
/** In characters of all bodies together. */
export const MAX_BACKLOG = 1024 * 1024

/** The delay, randomized by up to a fifth, so that a receiver that works again does not get all events at once. */
export function retryDelay(attempts: number, random: Pick<Random, 'below'>): number | undefined {
  const delay = RETRY_DELAYS[attempts - 1]
  return delay === undefined ? undefined : Math.round((delay * (800 + random.below(401))) / 1000)
}

/** The events that wait for one receiver, oldest first. */
export class DeliveryQueue {
  #deliveries: readonly Delivery[]
  #size: number
  readonly #inFlight = new Set<string>()

  constructor({ deliveries }: Pick<WebhookState, 'deliveries'>) {
    this.#deliveries = deliveries
    this.#size = deliveries.reduce((sum, { body }) => sum + body.length, 0)
  }

  get deliveries(): readonly Delivery[] {
    return this.#deliveries
  }

  /** Returns false if the queue is full. Does nothing for a delivery that is queued already. */
  add(delivery: Delivery): boolean {
    if (this.#deliveries.some(({ id }) => id === delivery.id)) return true
    const size = this.#size + delivery.body.length
    if (this.#deliveries.length >= MAX_DELIVERIES || size > MAX_BACKLOG) return false
    this.#deliveries = [...this.#deliveries, delivery]
    this.#size = size
    return true
  }

  /** Takes the oldest that is due; `settle` or `putBack` must follow. */
  take(now: number): Delivery | undefined {
    const next = this.#idle().find(({ due }) => isDue(due, now))
    if (next !== undefined) this.#inFlight.add(next.id)
    return next
  }

  /** Removes it, or lets it wait for another attempt. */
  settle({ id, body }: Delivery, retry?: Pick<Delivery, 'attempts' | 'due'>): void {
    this.#inFlight.delete(id)
    if (retry === undefined) {
      this.#size -= body.length
      this.#deliveries = this.#deliveries.filter((delivery) => delivery.id !== id)
    } else this.#deliveries = this.#deliveries.map((each) => (each.id === id ? { ...each, ...retry } : each))
  }

  /** Makes an interrupted delivery available again. */
  putBack({ id }: Delivery): void {
    this.#inFlight.delete(id)
  }

  /** Milliseconds until one is due; undefined if none waits. */
  pause(now: number): number | undefined {
    const idle = this.#idle()
    if (idle.length === 0) return undefined
    return Math.max(0, Math.min(...idle.map(({ due }) => (isDue(due, now) ? 0 : due - now))))
  }

  /** Makes all deliveries due now: the receiver, or its address, may have been corrected. */
  hurry(now: number): void {
    this.#deliveries = this.#deliveries.map((delivery) => ({ ...delivery, due: Math.min(delivery.due, now) }))
  }

  #idle(): readonly Delivery[] {
    return this.#deliveries.filter(({ id }) => !this.#inFlight.has(id))
  }
}

/** A time that is too far off was set by a clock that has been corrected since. */
function isDue(due: number, now: number): boolean {
  return due <= now || due - now > LONGEST_DELAY
}
