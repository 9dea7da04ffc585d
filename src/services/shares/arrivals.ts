import type { Actor, Visitor } from '../../domain/accounts/actor.ts'
import {
  type Arrival,
  type ArrivalView,
  type LinkView,
  type Receipt,
  receivesFiles,
  REMOVAL_PERIOD,
  requireWithinTerms,
  rememberedArrivals,
} from '../../domain/shares/share-terms.ts'
import { receivedOf, type Share, termsOf } from '../../domain/shares/share.ts'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import { parseVirtualPath, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { isSameEntry } from '../../domain/files/entry-identity.ts'
import type { OpenFile, Written } from '../../storage/open-file.ts'
import type { Scope } from '../../storage/storage.ts'
import { SingleFlight } from '../../platform/cache/single-flight.ts'
import type { Clock } from '../../platform/clock.ts'
import { digestOf } from '../../platform/security/tokens.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import { addressKey } from '../accounts/auth/throttle.ts'
import type { AccessService } from '../access/access.ts'
import type { FileAccess } from '../access/file-access.ts'
import { downloadsLeftOf } from './limited-downloads.ts'
import type { FileChanges } from '../access/file-changes.ts'
import type { HookRunner } from '../automation/hooks/hook-runner.ts'
import { ownShare, positionOf } from './share-records.ts'

export interface ArrivalsDeps {
  readonly store: Store<StoreDocument>
  readonly access: AccessService
  readonly changes: FileChanges
  readonly hooks: HookRunner
  readonly clock: Clock
}

export interface NewArrival {
  readonly id: string
  /** As the visitor calls it. */
  readonly name: string
  /** "" for a visitor who was not asked. */
  readonly from: string
  readonly length: number
}

/** A file whose bytes were judged. */
interface JudgedFile extends Pick<OpenFile, 'changed'> {
  readonly sha256: string
}

/** Seconds after which a file without an upload is forgotten: the daemon was killed in between. */
const ORPHANED = 60 * 60

/**
 * The files that visitors send through a link: its limits, the files that have arrived, and their receipts. A file counts towards
 * the limits before its first byte, and the count is kept in the store, so that concurrent visitors cannot exceed a limit.
 */
export function createArrivals({ store, access, changes, hooks, clock }: ArrivalsDeps) {
  const seconds = () => Math.floor(clock.now() / 1000)
  const sums = new SingleFlight<string>()

  const change = async (hash: string, edit: (share: Share) => void): Promise<void> =>
    await store.update((draft, { shares }) => {
      const at = positionOf(shares, hash)
      const share = structuredClone(shares[at])
      if (share === undefined) return
      edit(share)
      draft.shares = shares.with(at, share)
    })

  /** Removes arrivals from the list and the counts. */
  const drop = async (hash: string, isDropped: (arrival: Arrival) => boolean): Promise<void> =>
    await change(hash, (share) => {
      for (const { bytes } of (share.arrivals ?? []).filter(isDropped)) {
        const { files, bytes: total } = receivedOf(share)
        share.received = { files: Math.max(0, files - 1), bytes: Math.max(0, total - bytes) }
      }
      share.arrivals = (share.arrivals ?? []).filter((arrival) => !isDropped(arrival))
    })

  const find = (hash: string, id: string): Arrival | undefined => {
    const { shares } = store.snapshot()
    return shares[positionOf(shares, hash)]?.arrivals?.find((arrival) => arrival.id === id)
  }

  /** @throws NOT_FOUND for an arrival that is unknown or not complete */
  const requireComplete = (hash: string, id: string) => {
    const arrival = find(hash, id)
    if (arrival?.file === undefined) fail('NOT_FOUND', 'there is no such file')
    return { ...arrival, file: arrival.file }
  }

  /** The file that was sent, if it is still at its path, as it was sent. */
  const unchanged = async (files: FileAccess, { file }: Arrival): Promise<Pick<OpenFile, 'changed'> | undefined> => {
    if (file?.stamp === undefined) return undefined
    try {
      const path = parseVirtualPath(file.path)
      if (!isSameEntry(file, await files.scope.identify(path))) return undefined
      await using opened = await files.scope.open(path)
      return stampOf(opened) === file.stamp ? { changed: opened.changed } : undefined
    } catch (error) {
      if (isFilemgrError(error, 'NOT_FOUND', 'CONFLICT')) return undefined
      throw error
    }
  }

  /**
   * As `unchanged`, and judges its bytes too: an editor may keep the time of a file.
   *
   * @param known its earlier state: unless it has changed since, it is not read again
   * @throws NOT_FOUND
   */
  const requireUnchanged = async (
    files: FileAccess,
    arrival: ReturnType<typeof requireComplete>,
    known?: JudgedFile,
  ): Promise<JudgedFile> => {
    const { changed } = (await unchanged(files, arrival)) ?? failGone()
    if (known !== undefined && known.changed === changed) return known
    const sha256 = await files.scope.checksum(parseVirtualPath(arrival.file.path), 'sha256')
    if (sha256 !== (known?.sha256 ?? arrival.file.sha256 ?? sha256)) failGone()
    return { changed, sha256 }
  }

  return {
    /** Counts a file from now on. @throws NOT_FOUND, INVALID_INPUT, TOO_LARGE */
    async expect({ hash, address }: Visitor, { id, name, from, length }: NewArrival): Promise<void> {
      const sender = digestOf(`${hash} ${addressKey(address)}`)
      await store.update((draft, { shares }) => {
        const at = positionOf(shares, hash)
        const share = shares[at]
        if (share === undefined || !receivesFiles(termsOf(share))) fail('NOT_FOUND', 'there is no such share')
        const { files, bytes } = receivedOf(share)
        requireWithinTerms(termsOf(share), { files, bytes }, name, length)
        const received = { files: files + 1, bytes: bytes + length }
        const arrivals = [...(share.arrivals ?? []), { id, name, from, bytes: length, begun: seconds(), sender }]
        draft.shares = shares.with(at, { ...share, received, arrivals })
      })
    },

    /** Stops counting a file whose upload was cancelled or has expired. Does nothing for a complete one. */
    async forget(hash: string, id: string): Promise<void> {
      if (find(hash, id)?.file !== undefined) return
      await drop(hash, (arrival) => arrival.id === id && arrival.file === undefined)
    },

    /** Undefined if the link was removed, or does not expect this upload. */
    find,

    /**
     * Records that a file is complete, once.
     *
     * @param written what was put in place; undefined if a daemon was killed in between, so that it is not known
     */
    async arrived(hash: string, id: string, scope: Scope, path: VirtualPath, written?: Written): Promise<void> {
      if (find(hash, id)?.file !== undefined) return
      const { device, inode, birth } = await scope.identify(path)
      await change(hash, (share) => {
        const arrival = share.arrivals?.find((candidate) => candidate.id === id)
        if (arrival === undefined || arrival.file !== undefined) return
        arrival.file = { arrived: seconds(), path, device, inode, birth, ...(written && { stamp: stampOf(written) }) }
        // Moved to the end, because the list is in the order of completion.
        const all = [...(share.arrivals ?? []).filter((each) => each !== arrival), arrival]
        share.arrivals = rememberedArrivals(all)
      })
    },

    /** The files that have arrived, newest first. @throws FORBIDDEN, NOT_FOUND */
    list(actor: Actor, hash: string): ArrivalView[] {
      const { arrivals = [] } = ownShare(store.snapshot(), actor, hash)
      return arrivals
        .flatMap(({ name, from, bytes: size, file }) => {
          if (file === undefined) return []
          const { path, arrived, sha256 = null } = file
          return [{ path, name, from, size, arrived, sha256 }]
        })
        .toReversed()
    },

    /**
     * The owner has looked at what had arrived until a time.
     *
     * @param until in Unix seconds
     * @throws FORBIDDEN, NOT_FOUND
     */
    async see(actor: Actor, hash: string, until: number): Promise<void> {
      const { seen = 0, arrivals = [] } = ownShare(store.snapshot(), actor, hash)
      if (!arrivals.some(({ file }) => file !== undefined && file.arrived > seen && file.arrived <= until)) return
      await change(hash, (share) => (share.seen = Math.max(share.seen ?? 0, Math.min(until, seconds()))))
    },

    /** What a link is for. @param token to include in the result */
    link(visitor: Visitor, token: string | undefined): LinkView {
      const { share } = visitor.link()
      const { allows, title, message, asksName, folders, types, maxFileBytes, maxFiles, maxBytes } = termsOf(share)
      const { files, bytes } = receivedOf(share)
      return {
        allows,
        title,
        message,
        types,
        maxFileBytes,
        expire: share.expire,
        asksName: asksName || folders === 'visitor',
        filesLeft: maxFiles === 0 ? null : Math.max(0, maxFiles - files),
        bytesLeft: maxBytes === 0 ? null : Math.max(0, maxBytes - bytes),
        downloadsLeft: downloadsLeftOf(share),
        ...(token === undefined ? {} : { token }),
      }
    },

    /**
     * The proof that a file has arrived. The first call reads the whole file for its checksum.
     *
     * @throws NOT_FOUND, FORBIDDEN
     */
    async receipt(visitor: Visitor, id: string, signal?: AbortSignal): Promise<Receipt> {
      const { hash } = visitor
      using files = await access.receiving(visitor)
      const { name, bytes: size, file } = requireComplete(hash, id)
      const { arrived } = file
      let sha256 = file.sha256 ?? null
      if (sha256 === null && (await unchanged(files, requireComplete(hash, id))) !== undefined) {
        const path = parseVirtualPath(file.path)
        const work = async (stop: AbortSignal): Promise<string> => {
          // Opened again, because other callers may still wait for the checksum when this one has left.
          using own = await access.receiving(visitor)
          return await own.scope.checksum(path, 'sha256', { signal: stop })
        }
        const sum = await sums.run(id, work, signal)
        await change(hash, (share) => {
          const arrival = share.arrivals?.find((candidate) => candidate.id === id)
          if (arrival?.file !== undefined) arrival.file.sha256 = sum
        })
        sha256 = sum
      }
      return { name, size, sha256, arrived, removableUntil: arrived + REMOVAL_PERIOD }
    },

    /**
     * Removes a file for the visitor who sent it.
     *
     * @throws NOT_FOUND, also if another file has taken its name or it was edited; FORBIDDEN after half an hour
     */
    async withdraw(visitor: Visitor, id: string): Promise<void> {
      const { hash } = visitor
      using files = await access.receiving(visitor)
      const arrival = requireComplete(hash, id)
      if (seconds() > arrival.file.arrived + REMOVAL_PERIOD)
        fail('FORBIDDEN', 'the time to remove this file has passed')
      const path = parseVirtualPath(arrival.file.path)
      const judged = await requireUnchanged(files, arrival)
      const after = await hooks.begin('delete', files, { path, visitor: arrival.from })
      // Judged again: a hook may take minutes, in which the owner may save the file.
      const { changed } = await requireUnchanged(files, arrival, judged)
      await files.scope.removeFile(path, (current) => {
        files.requireStill()
        if (stampOf(current) !== arrival.file.stamp || current.changed !== changed) failGone()
      })
      await drop(hash, (each) => each.id === id)
      await changes.notify({ kind: 'removed', user: files.user, path })
      await after(files)
    },

    /** Forgets files without an upload, which a killed daemon has left. @param known ids of all uploads */
    async sweep(known: ReadonlySet<string>): Promise<void> {
      const isLost = ({ id, begun, file }: Arrival) =>
        file === undefined && !known.has(id) && seconds() > begun + ORPHANED
      for (const { hash, arrivals = [] } of store.snapshot().shares) if (arrivals.some(isLost)) await drop(hash, isLost)
    },
  }
}

/** Differs after each save, also one of the same length. */
function stampOf({ size, modified, inode }: Pick<Written, 'size' | 'modified' | 'inode'>): string {
  return `${size}-${modified}-${inode}`
}

function failGone(): never {
  fail('NOT_FOUND', 'the file that you sent is not there any more')
}

export type Arrivals = ReturnType<typeof createArrivals>
