import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { added, type Amount, NOTHING, sum } from '../../../domain/access/quota.ts'
import { mountOf, type RootFolder, servedFolderOf, servedPathIn } from '../../../domain/server/root.ts'
import { cleanVirtualPath, parentOf, ROOT, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { type Storage, storagePathOf, type Work } from '../../../storage/storage.ts'
import type { FileAccess } from '../file-access.ts'
import type { Owner, Quotas } from './quotas.ts'
import type { Reservation } from './reservation.ts'

interface Files extends Pick<FileAccess, 'scope'> {
  readonly user: Owner
}

/**
 * How many folders a write into a folder makes: that one and those above it, as far as they are missing. Always 0 where no quota
 * applies.
 */
export async function missingFolders(
  quotas: Pick<Quotas, 'appliesTo'>,
  files: Files,
  folder: VirtualPath,
): Promise<number> {
  if (!quotas.appliesTo(files.user, folder)) return 0
  let missing = 0
  try {
    for (let each = folder; each !== ROOT && !(await files.scope.exists(each)); each = parentOf(each)) missing += 1
  } catch (error) {
    // The write itself is refused for the same reason, or finds the folder in spite of a rule.
    if (!isFilemgrError(error)) throw error
  }
  return missing
}

/**
 * Room for the folders on the way to a target that are missing. Dispose of it when the work has ended: what was made by then counts,
 * even if the work has failed.
 */
export class FolderRoom implements AsyncDisposable {
  readonly #reservation: Reservation | undefined
  #left: number
  #made = 0
  /** For the operation of the storage. Empty where no quota applies. */
  readonly work: Pick<Work, 'admitFolder'>

  private constructor(reservation: Reservation | undefined, missing: number, isLimited: boolean) {
    this.#reservation = reservation
    this.#left = missing
    this.work = isLimited ? { admitFolder: (count) => this.#admit(count) } : {}
  }

  /** @param folder in which something is written @throws QUOTA_EXCEEDED, BUSY */
  static async reserve(
    quotas: Pick<Quotas, 'appliesTo' | 'reserve'>,
    files: Files,
    folder: VirtualPath,
  ): Promise<FolderRoom> {
    const missing = await missingFolders(quotas, files, folder)
    const amount = { bytes: 0, files: missing }
    const reservation = missing === 0 ? undefined : await quotas.reserve(files.user, folder, amount)
    return new FolderRoom(reservation, missing, quotas.appliesTo(files.user, folder))
  }

  /** The attack is to remove folders while something is written into them, so that they come back without being counted. */
  #admit(count: 1 | -1): void {
    if (count === 1) {
      if (this.#left === 0) fail('CONFLICT', 'a folder was removed meanwhile; try again', { reason: 'changed' })
      this.#left -= 1
    }
    this.#made += count
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Work that goes on, because the disk does not answer, makes no more folders.
    this.#left = 0
    await this.#reservation?.settle({ bytes: 0, files: this.#made })
  }
}

/** Makes the home folder of a user. It counts for those in whose folder it is, but is never refused because of them. */
export async function makeHome(
  quotas: Pick<Quotas, 'appliesTo' | 'reserve'>,
  storage: Pick<Storage, 'openScope' | 'makeScope'>,
  home: RootFolder,
): Promise<void> {
  const user = { ...(home.root && { root: home.root }), scope: ROOT, quota: 0, quotaFiles: 0 }
  using scope = await storage.openScope(storagePathOf(mountOf(home.root)), 'inside')
  await using room = await FolderRoom.reserve(quotas, { user, scope }, cleanVirtualPath(home.scope))
  await storage.makeScope(storagePathOf(servedFolderOf(home)), 'inside', room.work)
}

/** A move between files of two users, or of one. */
export interface Moving {
  readonly from: VirtualPath
  readonly to: VirtualPath
  /** Whose path the new one is, if another user's. */
  readonly target?: Files | undefined
  /** What comes into the quota of that user, with missing folders; see `entersQuota`. */
  readonly added?: Amount | undefined
}

/** Whether a move brings files into a quota of the user of the target in which they are not yet. */
export function entersQuota(
  quotas: Pick<Quotas, 'appliesTo' | 'counts'>,
  source: Owner,
  target: Owner,
  { from, to }: Pick<Moving, 'from' | 'to'>,
): boolean {
  return quotas.appliesTo(target, to) && !quotas.counts(target, servedPathIn(source, from))
}

/**
 * Call it before a move, and dispose of it after it: announces the move, as `Quotas.moving`, and reserves room for what enters a quota,
 * or for the missing folders of the target.
 *
 * @throws QUOTA_EXCEEDED, BUSY
 */
export class MoveRoom implements AsyncDisposable {
  readonly #parts: AsyncDisposableStack
  /** For the operation of the storage. */
  readonly work: Pick<Work, 'admit' | 'admitFolder'>

  private constructor(parts: AsyncDisposableStack, work: MoveRoom['work']) {
    this.#parts = parts
    this.work = work
  }

  static async reserve(
    quotas: Pick<Quotas, 'appliesTo' | 'reserve' | 'moving'>,
    files: Files,
    { from, to, target = files, added: entering }: Moving,
  ): Promise<MoveRoom> {
    await using parts = new AsyncDisposableStack()
    const folders = entering === undefined ? await FolderRoom.reserve(quotas, target, parentOf(to)) : undefined
    parts.use(folders ?? (entering && (await quotas.reserve(target.user, to, entering))))
    parts.use(await quotas.moving(files.user, from, to, target.user))
    return new MoveRoom(parts.move(), folders?.work ?? (entering ? { admit: admission(entering) } : {}))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts[Symbol.asyncDispose]()
  }
}

/** Refuses files that were not there when they were measured. What is renamed is not asked for, and counted afterwards. */
function admission(measured: Amount): (bytes: number, replaced?: number) => void {
  let moved = NOTHING
  return (bytes, replaced) => {
    const old = replaced === undefined ? NOTHING : { bytes: replaced, files: 1 }
    moved = sum(moved, added({ bytes, files: 1 }, old))
    if (moved.bytes > measured.bytes || moved.files > measured.files)
      fail('CONFLICT', 'the files have grown while they were moved; try again', { reason: 'changed' })
  }
}
