import type { AwayRoot } from '../../../domain/automation/notice.ts'
import type { RootId } from '../../../domain/ids.ts'
import type { Root } from '../../../domain/server/root.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { Storage } from '../../../storage/storage.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import { pause } from '../chores/under-lease.ts'
import { rootState } from './root-state.ts'

export interface RootWatchDeps {
  readonly store: Pick<Store<StoreDocument>, 'snapshot'>
  readonly storage: Pick<Storage, 'openScope'>
  readonly clock: Clock
  readonly log: Logger
  /** Milliseconds between looks. */
  readonly interval?: number
}

const MINUTE = 60 * 1000

/** Looks at the roots of the store once a minute, because each daemon has its own disks, and remembers which are away. */
export function createRootWatch({ store, storage, clock, log, interval = MINUTE }: RootWatchDeps) {
  const since = new Map<RootId, number>()

  const note = async (root: Root): Promise<void> => {
    const { id, name, warnAway } = root
    const { state, problem } = await rootState(storage, id)
    const isKnown = since.has(id)
    if (state === 'away' && !isKnown) {
      since.set(id, clock.now())
      if (warnAway) log.warn({ root: name, problem }, 'a root is away')
    } else if (state === 'here' && isKnown) {
      since.delete(id)
      if (warnAway) log.info({ root: name }, 'a root is back')
    }
  }

  const look = async (): Promise<void> => {
    const { roots } = store.snapshot()
    const present = new Set(roots.map(({ id }) => id))
    for (const id of since.keys()) if (!present.has(id)) since.delete(id)
    await Promise.all(roots.map(note))
  }

  return {
    /** Those that were away at the last look. */
    away: (): AwayRoot[] =>
      store.snapshot().roots.flatMap((root) => {
        const time = since.get(root.id)
        return time === undefined ? [] : [{ root, since: time }]
      }),

    look,

    start(): AsyncDisposable {
      const abort = new AbortController()
      const running = (async () => {
        while (!abort.signal.aborted) {
          await look().catch((err: unknown) => log.error({ err }, 'the roots could not be looked at'))
          await pause(interval, abort.signal)
        }
      })()
      return {
        async [Symbol.asyncDispose]() {
          abort.abort()
          await running
        },
      }
    },
  }
}
