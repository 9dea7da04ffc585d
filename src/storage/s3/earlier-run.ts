import type { EarlierRun } from '../../domain/files/entry-identity.ts'
import type { SkipReason, TransferMode, Work } from '../storage.ts'
import type { BucketRoot } from './bucket-root.ts'
import type { StoredObject } from './stored-object.ts'

/** The server's times are whole seconds. */
const TIME_STEP = 1_000_000_000n

type ContinuedWork = Pick<TransferMode, 'replace' | 'earlier'> & Pick<Work, 'signal'>

/** A copy that is there already. */
interface MadeEarlier {
  readonly source: StoredObject
  readonly copy: Pick<StoredObject, 'key' | 'etag'>
  /** It belongs to the operation, as far as is known. */
  readonly isNew: boolean
}

/**
 * Looks for the copy that an earlier run of the operation has made. What others have put there since is not replaced.
 *
 * @param keepsTime true for a move: the copy has the time of its original
 * @returns undefined if the object has to be copied; why it must not be
 */
export async function madeEarlier(
  root: BucketRoot,
  source: StoredObject,
  to: string,
  { earlier, replace, signal }: ContinuedWork,
  keepsTime: boolean,
): Promise<MadeEarlier | SkipReason | undefined> {
  if (earlier === undefined) return undefined
  const present = await root.bucket.head(to, signal)
  if (present === undefined) return undefined
  const isSince = hasChangedSince(present, earlier)
  const isOurs = keepsTime ? present.modified === source.modified : isSince && earlier.merging === true
  const isCopy = present.size === source.size && (isOurs || present.etag === source.etag)
  if (isCopy) return { source, copy: { key: to, etag: present.etag }, isNew: isSince && !replace }
  return replace && !isSince ? undefined : 'changed'
}

function hasChangedSince({ stored }: StoredObject, { since }: EarlierRun): boolean {
  return stored + TIME_STEP > BigInt(since) * 1_000_000n
}
