import type { Delivery, WebhookState } from '../../../domain/automation/webhook.ts'
import type { Random } from '../../../platform/security/random.ts'

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

/** The events that wait for one receiver, oldest first. Looks through all of them only if one may be due. */
export class DeliveryQueue {
  readonly #deliveries: Map<string, Delivery>
  #size: number
  readonly #inFlight = new Set<string>()
  /** No idle delivery is due before. */
  #earliest = 0

  constructor({ deliveries }: Pick<WebhookState, 'deliveries'>) {
    this.#deliveries = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
    this.#size = deliveries.reduce((sum, { body }) => sum + body.length, 0)
  }

  get deliveries(): readonly Delivery[] {
    return [...this.#deliveries.values()]
  }

  /** Returns false if the queue is full. Does nothing for a delivery that is queued already. */
  add(delivery: Delivery): boolean {
    if (this.#deliveries.has(delivery.id)) return true
    const size = this.#size + delivery.body.length
    if (this.#deliveries.size >= MAX_DELIVERIES || size > MAX_BACKLOG) return false
    this.#deliveries.set(delivery.id, delivery)
    this.#size = size
    this.#expect(delivery.due)
    return true
  }

  /** The oldest that is due; `finish` or `putBack` must follow. */
  dequeue(now: number): Delivery | undefined {
    if (!isDue(this.#earliest, now)) return undefined
    let earliest = Infinity
    for (const delivery of this.#deliveries.values()) {
      if (this.#inFlight.has(delivery.id)) continue
      if (isDue(delivery.due, now)) {
        this.#inFlight.add(delivery.id)
        return delivery
      }
      earliest = Math.min(earliest, delivery.due)
    }
    this.#earliest = earliest
    return undefined
  }

  /** Removes it, or lets it wait for another attempt. */
  finish({ id, body }: Delivery, retry?: Pick<Delivery, 'attempts' | 'due'>): void {
    this.#inFlight.delete(id)
    const delivery = this.#deliveries.get(id)
    if (delivery === undefined) return
    if (retry === undefined) {
      this.#size -= body.length
      this.#deliveries.delete(id)
    } else {
      this.#deliveries.set(id, { ...delivery, ...retry })
      this.#expect(retry.due)
    }
  }

  /** Makes an interrupted delivery available again. */
  putBack({ id }: Delivery): void {
    this.#inFlight.delete(id)
    this.#earliest = 0
  }

  /** Milliseconds until one is due; undefined if none waits. May be too early, but not after a `dequeue` without result. */
  pause(now: number): number | undefined {
    if (this.#deliveries.size === this.#inFlight.size) return undefined
    return isDue(this.#earliest, now) ? 0 : this.#earliest - now
  }

  /** Makes all deliveries due now: the receiver, or its address, may have been corrected. */
  hurry(now: number): void {
    for (const [id, delivery] of this.#deliveries)
      if (delivery.due > now) this.#deliveries.set(id, { ...delivery, due: now })
    this.#earliest = 0
  }

  #expect(due: number): void {
    this.#earliest = Math.min(this.#earliest, due)
  }
}

/** A time that is too far off was set by a clock that has been corrected since. */
function isDue(due: number, now: number): boolean {
  return due <= now || due - now > LONGEST_DELAY
}
