import { copyFile, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Clock } from '../../platform/clock.ts'
import { type Delivery, WebhookState } from '../../domain/automation/webhook.ts'
import { createValueCheck } from '../../platform/validation/value-check.ts'
import { isErrno, unlessErrno } from '../../platform/files/error-code.ts'
import { makeDurableFolder } from '../disk/atomic-file.ts'
import { diskFailure } from '../disk/disk.ts'
import { Journal, parseJournal, type JournalContent } from '../disk/journal.ts'
import { createSerialQueue } from '../json/changes.ts'
import { timeStamp } from '../json/recovery-copies.ts'
import type { StoreLog, WebhookStates } from '../store.ts'
import { fileRecords } from './records.ts'

interface WebhookJournalDeps {
  /** In the data folder. */
  readonly folder: string
  readonly clock: Clock
  readonly log: StoreLog
}

/** What a line says of one webhook: how its state differs from that in earlier lines. */
interface StateChange extends Omit<WebhookState, 'deliveries'> {
  readonly put: readonly Delivery[]
  /** Deliveries that wait for another attempt; their bodies are in earlier lines. */
  readonly retried: readonly Omit<Delivery, 'body'>[]
  /** Ids of deliveries that have ended. */
  readonly ended: readonly string[]
}

interface Line {
  readonly changed?: readonly StateChange[]
  /** Id of a webhook. */
  readonly removed?: string
}

type States = Map<string, WebhookState>

/** Bytes of outdated lines at which the file is written anew. */
const MAX_OUTDATED = 1024 * 1024

/**
 * The states of webhooks in a file that only grows, and is written anew at times: an event, or an attempt to send it, writes only
 * itself, however many others wait.
 */
export function journalledWebhookStates({ folder, clock, log }: WebhookJournalDeps): WebhookStates {
  const journal = new Journal(join(folder, 'queue.journal'))
  /** Where older versions kept each state. */
  const old = fileRecords<WebhookState>({ folder, schema: WebhookState, idOf: ({ id }) => id, log })
  const own = new Set<string>()
  /** States that are newer than the file, for lack of room. */
  const unsaved: States = new Map()
  const enqueue = createSerialQueue()
  let saved: States | undefined
  /** Bytes of the file when it was last written anew. */
  let writtenAnew = 0

  const read = async (): Promise<JournalContent> =>
    parseJournal((await unlessErrno(readFile(journal.path), 'ENOENT', 'ENOTDIR')) ?? new Uint8Array())

  const load = async (): Promise<States> => {
    if (saved !== undefined) return saved
    const content = await read()
    if (content.damagedLine !== undefined) {
      const kept = `${journal.path}.corrupt-${timeStamp(clock)}`
      await copyFile(journal.path, kept)
      log.warn(
        `webhooks/${basename(journal.path)} is damaged in line ${content.damagedLine}: later events are lost. The file is kept as ${basename(kept)}.`,
      )
    }
    await journal.resume(content)
    return (saved = statesIn(content))
  }

  const write = async (lines: readonly Line[], all: () => readonly WebhookState[]): Promise<void> => {
    const isFull = journal.size > 2 * writtenAnew + MAX_OUTDATED
    if (!isFull && (await journal.isUsable())) {
      await journal.append(lines)
      return
    }
    await makeDurableFolder(folder)
    await journal.start([{}, ...all().map((state) => ({ changed: [changeOf(undefined, state)] }))])
    writtenAnew = journal.size
  }

  const save = async (): Promise<void> => {
    const before = await load()
    const states = [...unsaved.values()]
    const after = () => [...new Map([...before, ...unsaved]).values()]
    await write([{ changed: states.map((state) => changeOf(before.get(state.id), state)) }], after)
    for (const state of states) before.set(state.id, state)
    unsaved.clear()
  }

  const remove = async (id: string): Promise<void> => {
    unsaved.delete(id)
    const before = await load()
    if (before.has(id)) await write([{ removed: id }], () => [...before.values()].filter((state) => state.id !== id))
    before.delete(id)
    await old.remove(id)
  }

  const withOld = async (states: States): Promise<WebhookState[]> => [
    ...(await old.list()).filter(({ id }) => !states.has(id)),
    ...states.values(),
  ]

  const failed = (error: unknown): unknown => diskFailure(error, 'the events of webhooks', 'saved')

  return {
    async put(...states) {
      await enqueue(async () => {
        const isFirst = unsaved.size === 0
        for (const state of states) {
          own.add(state.id)
          unsaved.set(state.id, state)
        }
        try {
          await save()
        } catch (error) {
          if (!isErrno(error, 'ENOSPC', 'EDQUOT')) throw failed(error)
          if (isFirst) log.error('The disk is full: events of webhooks are kept in memory until there is room.')
        }
      })
    },

    async remove(id) {
      await enqueue(async () => {
        await remove(id).catch((error: unknown) => {
          throw failed(error)
        })
      })
    },

    others: async () => (await withOld(statesIn(await read()))).filter(({ id }) => !own.has(id)),

    async follow(adopt) {
      for (const state of await withOld(await enqueue(load))) {
        await adopt(state)
        await old.remove(state.id)
      }
    },
  }
}

function changeOf(before: WebhookState | undefined, { deliveries, ...state }: WebhookState): StateChange {
  const known = new Map(before?.deliveries.map((delivery) => [delivery.id, delivery]))
  const put: Delivery[] = []
  const retried: Omit<Delivery, 'body'>[] = []
  for (const delivery of deliveries) {
    const { id, attempts, due } = delivery
    const earlier = known.get(id)
    known.delete(id)
    if (earlier === undefined) put.push(delivery)
    else if (earlier !== delivery) retried.push({ id, attempts, due })
  }
  return { ...state, put, retried, ended: [...known.keys()] }
}

const stateCheck = createValueCheck(WebhookState)

/** A line that is no change of ours is skipped, as a damaged record would be. */
function statesIn({ lines }: JournalContent): States {
  const states = new Map<string, Omit<WebhookState, 'deliveries'>>()
  const deliveries = new Map<string, Map<string, Delivery>>()
  for (const { value } of lines) {
    const { changed = [], removed } = value as Line
    for (const { put, retried, ended, ...state } of changed) {
      states.set(state.id, state)
      const queue = deliveries.get(state.id) ?? new Map<string, Delivery>()
      deliveries.set(state.id, queue)
      for (const delivery of put) queue.set(delivery.id, delivery)
      for (const { id, ...retry } of retried) {
        const delivery = queue.get(id)
        if (delivery !== undefined) queue.set(id, { ...delivery, ...retry })
      }
      for (const id of ended) queue.delete(id)
    }
    if (removed === undefined) continue
    states.delete(removed)
    deliveries.delete(removed)
  }
  const all = [...states.values()].map((state) => ({
    ...state,
    deliveries: [...(deliveries.get(state.id)?.values() ?? [])],
  }))
  return new Map(all.filter((state) => stateCheck.accepts(state, 0)).map((state) => [state.id, state]))
}
