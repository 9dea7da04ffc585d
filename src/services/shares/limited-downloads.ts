import { hash } from 'node:crypto'
import type { Visitor } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import { type Share, termsOf } from '../../domain/shares/share.ts'
import type { VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Clock } from '../../platform/clock.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import { SMALL_SIDE } from '../files/previews/preview-plan.ts'
import { positionOf } from './share-records.ts'

/** Seconds for which a visitor may fetch a file again that was counted: a player asks for hundreds of parts, and again later. */
const REPEATS = 12 * 60 * 60
/** Counted downloads that a link remembers. Older ones count again when they are repeated. */
const MAX_REMEMBERED = 1000

export interface SharedDownload {
  /** In the share. What is fetched at the same path in one visit counts once. */
  readonly path: VirtualPath
  /** The browser shows the file instead of saving it. */
  readonly shown: boolean
  /** Only the headers are sent. */
  readonly isHead: boolean
  /** What the visitor's browser got when it opened the link. Programs have none, and all that they fetch counts. */
  readonly visit: string | undefined
}

const isLimited = (share: Share): boolean => termsOf(share).maxDownloads > 0

/** How many downloads visitors of a link have left; null for no limit. */
export function downloadsLeftOf(share: Share): number | null {
  return isLimited(share) ? Math.max(0, termsOf(share).maxDownloads - (share.downloads ?? 0)) : null
}

/** Counts the downloads of links whose owners limit them. */
export function createLimitedDownloads({
  store,
  clock,
}: {
  readonly store: Store<StoreDocument>
  readonly clock: Clock
}) {
  const nowSeconds = () => Math.floor(clock.now() / 1000)

  const isCounted = ({ counted = [] }: Share, id: string | undefined): boolean =>
    counted.some((each) => each.id === id && each.until > nowSeconds())

  return {
    isLimited: (visitor: Visitor): boolean => isLimited(visitor.link().share),

    /** Whether we must send all bytes ourselves, because the link limits downloads or is only for viewing. */
    isWatched(visitor: Visitor): boolean {
      const { share } = visitor.link()
      return isLimited(share) || termsOf(share).allows === 'view'
    },

    /**
     * The most pixels of a side that a preview may have without being a download: where downloads are limited, the attack is to
     * take every picture as a preview. Undefined for no limit.
     */
    previewSide: (visitor: Visitor): number | undefined => (isLimited(visitor.link().share) ? SMALL_SIDE : undefined),

    /**
     * Call it before bytes of shared files are sent. Counts the download if the owner limits their number, so that concurrent
     * visitors cannot exceed the limit. A HEAD request is refused like the download, and does not count.
     *
     * @throws FORBIDDEN if the limit is reached, or the link is only for viewing
     */
    async admit(visitor: Visitor, { path, shown, isHead, visit }: SharedDownload): Promise<void> {
      const { share: current } = visitor.link()
      if (termsOf(current).allows === 'view' && !shown) fail('FORBIDDEN', 'this link is only for viewing')
      if (!isLimited(current)) return
      // With the address: otherwise people could pass a visit on, and with it what it has counted.
      const id = visit && hash('sha256', `${visit} ${visitor.address} ${path}`).slice(0, 32)
      if (isCounted(current, id)) return
      if (isHead) {
        requireLeft(current)
        return
      }
      await store.update((draft, { shares }) => {
        const at = positionOf(shares, visitor.hash)
        const share = shares[at]
        if (share === undefined) fail('NOT_FOUND', 'there is no such share')
        // By another request of the same visit, meanwhile.
        if (isCounted(share, id)) return
        requireLeft(share)
        const { counted = [] } = share
        const remembered = counted.filter(({ until }) => until > nowSeconds())
        if (id !== undefined) remembered.push({ id, until: nowSeconds() + REPEATS })
        const downloads = (share.downloads ?? 0) + 1
        draft.shares = shares.with(at, {
          ...share,
          downloads,
          lastDownload: nowSeconds(),
          counted: remembered.slice(-MAX_REMEMBERED),
        })
      })
    },
  }
}

/** @throws FORBIDDEN */
function requireLeft(share: Share): void {
  if (downloadsLeftOf(share) === 0)
    fail('FORBIDDEN', 'the files have been downloaded as often as the owner of this link allows')
}
