import type { Hooked } from '../../../domain/automation/hook.ts'
import {
  type Delivery,
  describeResult,
  mergedState,
  mergedStates,
  PING,
  type StoredWebhook,
  type WebhookResult,
  type WebhookState,
} from '../../../domain/automation/webhook.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { Random } from '../../../platform/security/random.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store, WebhookStates } from '../../../store/store.ts'
import { DeliveryQueue, retryDelay } from './delivery-queue.ts'
import { eventBody, pingBody, type WebhookFacts, type WebhookRequest } from './webhook-request.ts'

export interface WebhookSenderDeps {
  readonly store: Pick<Store<StoreDocument>, 'snapshot' | 'onChange'>
  readonly states: WebhookStates
  readonly request: WebhookRequest
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
}

/** Requests to one receiver at a time. */
const CONCURRENT = 4
/** Milliseconds from a change to the write that saves it, so that a thousand events are not a thousand writes. */
const SAVE_DELAY = 1000
/** The same for what a restart may forget: that one more event was lost, or was refused once more by a receiver that keeps failing. */
const MINOR_SAVE_DELAY = 10_000
/** Failed requests in a row. */
const KEEPS_FAILING = 10

/** Milliseconds between requests to a receiver that keeps failing: at first, and at most. */
const [MIN_REST, MAX_REST] = [1000, 60_000]

interface Receiver extends Omit<WebhookState, 'deliveries'> {
  readonly queue: DeliveryQueue
  inFlight: number
  /** Until then, nothing is sent to a receiver that keeps failing, however many events wait. */
  restsUntil: number
  timer?: NodeJS.Timeout
}

/**
 * Notifies receivers of changes to files, in the background. Each event is sent until it is accepted, for about eight hours. An
 * event may arrive twice, and events may arrive in another order.
 */
export function createWebhookSender({ store, states, request, clock, random, log }: WebhookSenderDeps) {
  const receivers = new Map<string, Receiver>()
  const unsaved = new Set<Receiver>()
  const underWay = new Set<Promise<void>>()
  const stop = new AbortController()
  let saving: NodeJS.Timeout | undefined
  /** When `saving` fires, by `performance.now()`. */
  let savingAt = Infinity

  const receiverOf = (id: string): Receiver => {
    const receiver = receivers.get(id) ?? receiverFrom({ id, deliveries: [], failures: 0, lost: 0, last: null })
    receivers.set(id, receiver)
    return receiver
  }

  /** Makes the shutdown wait for the work. */
  const track = (work: Promise<void>): void => {
    underWay.add(work)
    void work.finally(() => underWay.delete(work))
  }

  const save = async (): Promise<void> => {
    clearTimeout(saving)
    savingAt = Infinity
    const changed = [...unsaved].filter((receiver) => receivers.get(receiver.id) === receiver)
    unsaved.clear()
    if (changed.length === 0) return
    try {
      await states.put(...changed.map(stateOf))
    } catch (error) {
      log.warn({ err: error }, 'the queued events of webhooks could not be saved')
    }
  }

  /** @param delay of the write that saves it, at most */
  const changed = (receiver: Receiver, delay: number): void => {
    unsaved.add(receiver)
    const at = performance.now() + delay
    if (at >= savingAt) return
    clearTimeout(saving)
    savingAt = at
    saving = setTimeout(() => track(save()), delay).unref()
  }

  /** Logs when a receiver begins to fail, loses an event or works again; it may fail thousands of times in between. */
  const note = (receiver: Receiver, webhook: StoredWebhook, delivery: Delivery, result: WebhookResult): void => {
    const facts = { webhook: receiver.id, host: hostOf(webhook), result: describeResult(result) }
    const attempts = delivery.attempts + 1
    const delay = result.outcome === 'accepted' ? undefined : retryDelay(attempts, random)
    receiver.queue.finish(delivery, delay === undefined ? undefined : { attempts, due: clock.now() + delay })
    receiver.last = { at: new Date(clock.now()).toISOString(), ...result }
    if (result.outcome === 'accepted') {
      if (receiver.failures > 0) log.info(facts, 'a webhook works again')
      receiver.failures = 0
      receiver.restsUntil = 0
    } else {
      receiver.failures += 1
      receiver.restsUntil = clock.now() + restAfter(receiver.failures)
      if (delay === undefined) lose(receiver, facts, 'an event was not accepted by a webhook; it is not sent again')
      else if (receiver.failures === 1) log.warn(facts, 'a webhook fails; events are sent again later')
    }
    const isMinor = delay !== undefined && receiver.failures > KEEPS_FAILING
    changed(receiver, isMinor ? MINOR_SAVE_DELAY : SAVE_DELAY)
  }

  const lose = (receiver: Receiver, facts: object, message: string): void => {
    receiver.lost += 1
    log.warn({ ...facts, lost: receiver.lost }, message)
  }

  const offer = (receiver: Receiver, webhook: StoredWebhook, delivery: Delivery): void => {
    const isAdded = receiver.queue.add(delivery)
    if (!isAdded) {
      const facts = { webhook: webhook.id, host: hostOf(webhook) }
      lose(receiver, facts, 'too many events wait for a webhook; the new one is not sent')
    }
    changed(receiver, isAdded ? SAVE_DELAY : MINOR_SAVE_DELAY)
  }

  const attempt = async (receiver: Receiver, webhook: StoredWebhook, delivery: Delivery): Promise<void> => {
    receiver.inFlight += 1
    const result = await request(webhook, delivery, stop.signal)
    receiver.inFlight -= 1
    if (result === undefined) receiver.queue.putBack(delivery)
    else note(receiver, webhook, delivery, result)
    pump(receiver)
  }

  /** Sends all deliveries that are due, and sets a timer for the rest. */
  const pump = (receiver: Receiver): void => {
    clearTimeout(receiver.timer)
    const webhook = store.snapshot().webhooks.find(({ id }) => id === receiver.id)
    if (webhook?.enabled !== true || stop.signal.aborted) return
    const rest = receiver.restsUntil - clock.now()
    // A time that is too far off was set by a clock that has been corrected since.
    if (rest > 0 && rest <= MAX_REST) {
      receiver.timer = setTimeout(() => pump(receiver), rest).unref()
      return
    }
    const concurrent = restAfter(receiver.failures) === 0 ? CONCURRENT : 1
    while (receiver.inFlight < concurrent) {
      const delivery = receiver.queue.dequeue(clock.now())
      if (delivery === undefined) break
      track(attempt(receiver, webhook, delivery))
    }
    const pause = receiver.inFlight < concurrent ? receiver.queue.pause(clock.now()) : undefined
    if (pause !== undefined) receiver.timer = setTimeout(() => pump(receiver), pause).unref()
  }

  const forget = async (receiver: Receiver): Promise<void> => {
    clearTimeout(receiver.timer)
    receivers.delete(receiver.id)
    try {
      await states.remove(receiver.id)
    } catch (error) {
      log.warn({ err: error, webhook: receiver.id }, 'the events of a removed webhook could not be removed')
    }
  }

  const adopt = async (state: WebhookState): Promise<void> => {
    const webhook = store.snapshot().webhooks.find(({ id }) => id === state.id)
    if (webhook === undefined) {
      await states.remove(state.id)
      return
    }
    // Saved first: if that fails, the state stays where it was, and is adopted again later.
    await states.put(mergedState(stateOf(receiverOf(state.id)), state))
    const receiver = receiverOf(state.id)
    const { failures, lost, last } = mergedState(stateOf(receiver), state)
    Object.assign(receiver, { failures, lost, last })
    for (const delivery of state.deliveries) offer(receiver, webhook, delivery)
    pump(receiver)
  }

  const unsubscribe = store.onChange((now, before) => {
    const find = ({ webhooks }: Readonly<StoreDocument>, webhookId: string) =>
      webhooks.find(({ id }) => id === webhookId)
    for (const receiver of receivers.values()) {
      const webhook = find(now, receiver.id)
      if (webhook === undefined) track(forget(receiver))
      else if (JSON.stringify(webhook) !== JSON.stringify(find(before, receiver.id))) {
        receiver.queue.hurry(clock.now())
        receiver.restsUntil = 0
        pump(receiver)
      }
    }
  })

  return {
    /** For the daemon: continues with the events that were queued when it, or another daemon, stopped. Never rejects. */
    async start(): Promise<void> {
      try {
        await states.follow(adopt)
      } catch (error) {
        log.error({ err: error }, 'the queued events of webhooks could not be read')
      }
    },

    /** Queues an event for the webhooks that want it; never waits. */
    send(event: Hooked, facts: WebhookFacts): void {
      const type = `after_${event}` as const
      const subscribed = store.snapshot().webhooks.filter(({ enabled, events }) => enabled && events.includes(type))
      if (subscribed.length === 0) return
      const now = clock.now()
      const delivery = { id: messageId(random), body: eventBody(type, facts, now), attempts: 0, due: now }
      for (const webhook of subscribed) {
        const receiver = receiverOf(webhook.id)
        offer(receiver, webhook, delivery)
        pump(receiver)
      }
    },

    /** Sends a ping at once. Undefined if it was cancelled. */
    async ping(webhook: StoredWebhook, username: string, signal?: AbortSignal): Promise<WebhookResult | undefined> {
      const message = { id: messageId(random), body: pingBody(PING, username, clock.now()) }
      return await request(webhook, message, AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]))
    },

    /**
     * By id, of all daemons. The state of other daemons, also in a command beside the daemon, may be a second old; of a receiver that
     * keeps failing, ten seconds.
     */
    async states(): Promise<ReadonlyMap<string, WebhookState>> {
      const others = await states.others()
      return mergedStates([...others, ...[...receivers.values()].map(stateOf)])
    },

    async [Symbol.asyncDispose]() {
      unsubscribe()
      stop.abort()
      for (const { timer } of receivers.values()) clearTimeout(timer)
      while (underWay.size > 0) await Promise.all(underWay)
      await save()
    },
  }
}

export type WebhookSender = ReturnType<typeof createWebhookSender>

function receiverFrom({ deliveries, ...state }: WebhookState): Receiver {
  return { ...state, queue: new DeliveryQueue({ deliveries }), inFlight: 0, restsUntil: 0 }
}

/** Milliseconds. Thousands of requests to receivers that refuse them all would leave little of the processors for users. */
function restAfter(failures: number): number {
  const further = failures - KEEPS_FAILING
  return further <= 0 ? 0 : Math.min(MAX_REST, MIN_REST * 2 ** Math.min(further - 1, 10))
}

function stateOf({ id, queue, failures, lost, last }: Receiver): WebhookState {
  return { id, deliveries: [...queue.deliveries], failures, lost, last }
}

function messageId(random: Random): string {
  return `msg_${random.token(18)}`
}

/** For the log: the rest of an address may be a secret. */
function hostOf({ url }: Pick<StoredWebhook, 'url'>): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
