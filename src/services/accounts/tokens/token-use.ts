import type { TokenId } from '../../../domain/ids.ts'
import type { ApiToken } from '../../../domain/accounts/api-token.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'

/** Milliseconds until a use is saved: a script that sends requests all the time must not cause a write for each. */
const DELAY = 10 * 60_000

export interface TokenUseDeps {
  readonly store: Store<StoreDocument>
  readonly clock: Clock
  readonly log: Logger
}

/** Records when tokens are used, and saves it later. */
export function createTokenUse({ store, clock, log }: TokenUseDeps) {
  const pending = new Map<TokenId, number>()
  let timer: NodeJS.Timeout | undefined

  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const used = new Map(pending)
    if (used.size === 0) return
    try {
      await store.update((draft, now) => {
        draft.tokens = now.tokens.map((token) => {
          const lastUsed = used.get(token.id)
          // Another daemon may have saved a later use.
          return lastUsed === undefined || lastUsed <= token.lastUsed ? token : { ...token, lastUsed }
        })
      })
      for (const [id, at] of used) if (pending.get(id) === at) pending.delete(id)
    } catch (error) {
      log.warn({ err: error }, 'the times at which API tokens were used could not be saved; the next use tries again')
    }
  }

  return {
    record({ id }: ApiToken): void {
      pending.set(id, clock.now())
      timer ??= setTimeout(() => void flush(), DELAY).unref()
    },
    /** In milliseconds since 1970; 0 = never. Includes uses that are not saved yet. */
    lastOf: ({ id, lastUsed }: ApiToken): number => Math.max(lastUsed, pending.get(id) ?? 0),
    [Symbol.asyncDispose]: flush,
  }
}

export type TokenUse = ReturnType<typeof createTokenUse>
