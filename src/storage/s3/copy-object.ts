import { fail, isFilemgrError } from '../../domain/errors.ts'
import type { HeldNames } from '../../platform/limits/name-locks.ts'
import type { Written } from '../open-file.ts'
import type { SkipReason, TransferMode, Work } from '../storage.ts'
import type { Copy } from './bucket.ts'
import type { BucketRoot } from './bucket-root.ts'
import type { Condition } from './conditions.ts'
import { lockKeys, persistently, repeated } from './effects.ts'
import { placeHeld } from './place-file.ts'
import type { ListedObject, StoredObject } from './stored-object.ts'

export interface CopyWork extends Work, Pick<TransferMode, 'replace' | 'earlier'> {
  /** The folder around the target was just created, so that its content is free. */
  readonly isNew: boolean
  /** The modification time of a copy. Nanoseconds since 1970. */
  readonly timeOf: (original: bigint) => bigint
}

/** A copy in place. */
export interface Placed {
  readonly source: Pick<ListedObject, 'key' | 'etag' | 'size'>
  readonly copy: Pick<ListedObject, 'key' | 'etag'>
  /** It has replaced nothing. */
  readonly isNew: boolean
}

/** @returns undefined if the object no longer exists; why it was not copied, if this continues */
export async function copyObject(
  root: BucketRoot,
  key: string,
  to: string,
  work: CopyWork,
): Promise<Placed | SkipReason | undefined> {
  const judge = judgeOf(work)
  return await repeated(async () => {
    const source = await root.bucket.head(key, work.signal)
    if (source === undefined) return undefined
    const made = await madeEarlier(root, source, to, work, false)
    if (made !== undefined) return made
    await using copy = await beginCopy(root, source, to, work)
    using held = await lockKeys(root, to)
    return await placeCopy(root, held, source, copy, to, work, judge)
  })
}

export async function beginCopy(root: BucketRoot, source: StoredObject, to: string, work: CopyWork): Promise<Copy> {
  const { timeOf, signal, advance } = work
  return await root.bucket.beginCopy(source, to, timeOf(source.modified), {
    signal,
    advance: (bytes) => advance?.(bytes, 0),
  })
}

/** Called with what there is at the target. */
export type Judge = (source: StoredObject, present: Written | undefined) => void

/** Puts a copy in place while its name is held. @throws PRECONDITION_FAILED, CONFLICT */
export async function placeCopy(
  root: BucketRoot,
  held: HeldNames,
  source: StoredObject,
  copy: Copy,
  to: string,
  { isNew, replace, timeOf, advance, signal }: CopyWork,
  judge: Judge,
): Promise<Placed> {
  const placed = (etag: string, hasReplaced: boolean): Placed => {
    advance?.(0, 1)
    return { source, copy: { key: to, etag }, isNew: !hasReplaced }
  }
  const modified = timeOf(source.modified)
  /** If the answer was lost, the copy may be there: it must not be taken for what others have put there. */
  const placeAnswered = async (condition: Condition) => {
    try {
      return await copy.place(condition)
    } catch (error) {
      if (!isFilemgrError(error, 'UNAVAILABLE', 'PRECONDITION_FAILED')) throw error
      const present = await persistently(async () => await root.bucket.head(to), signal)
      const isChanged = present !== undefined && (condition === 'new' || condition?.etag !== present.etag)
      const isOurs = isChanged && present.size === source.size && present.modified === modified
      if (!isOurs) throw error
      return present.etag
    }
  }
  const isMarker = to.endsWith('/')
  if (isNew && !isMarker) {
    const honoured = await root.bucket.honoured()
    const isChecked = honoured.copy && honoured.complete
    if (!isChecked && (await root.bucket.head(to)) !== undefined) fail('CONFLICT', 'a file of others is in the way')
    await held.confirm()
    judge(source, undefined)
    return placed(await placeAnswered('new'), false)
  }
  const accept = (present: Written | undefined) => {
    // A marker is replaced by one with content.
    if (isMarker && !replace && (present?.size ?? 0) > 0) fail('CONFLICT', 'something with this name is already there')
    judge(source, present)
  }
  const content = { size: source.size, fixed: modified }
  const mode = { replace: replace || isMarker, accept }
  const { etag, isNew: isFirst } = await placeHeld(
    root,
    held,
    to,
    content,
    mode,
    async ({ condition }) => await placeAnswered(condition),
  )
  return placed(etag, !isFirst)
}

/** Admits each state of the source once, however often it is tried. */
export function judgeOf({ admit, accept }: Work): Judge {
  let admitted: { readonly etag: string; readonly replaced: number } | undefined
  return ({ etag, size }, present) => {
    accept?.()
    const replaced = present?.size ?? 0
    if (admitted?.etag !== etag) admit?.(size, present?.size)
    // Another writer was faster, and what it left is smaller.
    else if (admit !== undefined && replaced < admitted.replaced)
      fail('CONFLICT', 'a file that is replaced was changed meanwhile; try again', { reason: 'changed' })
    if (admitted?.etag !== etag) admitted = { etag, replaced }
  }
}

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
  const isSince = present.stored + TIME_STEP > BigInt(earlier.since) * 1_000_000n
  const isOurs = keepsTime ? present.modified === source.modified : isSince && earlier.merging === true
  const isCopy = present.size === source.size && (isOurs || present.etag === source.etag)
  if (isCopy) return { source, copy: { key: to, etag: present.etag }, isNew: isSince && !replace }
  return replace && !isSince ? undefined : 'changed'
}
