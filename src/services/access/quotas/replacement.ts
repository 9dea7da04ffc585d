import { fail, unlessFails } from '../../../domain/errors.ts'
import { added, type Amount, difference, NOTHING } from '../../../domain/access/quota.ts'
import type { VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { Written } from '../../../storage/open-file.ts'
import type { FileAccess } from '../file-access.ts'
import type { Quotas } from './quotas.ts'
import type { Reservation } from './reservation.ts'

/** Replaced files count already, so that only the difference is reserved. */
export interface Replacing {
  readonly files: Pick<FileAccess, 'user' | 'scope' | 'view'>
  readonly path: VirtualPath
  /** False if nothing may be replaced. */
  readonly replace: boolean
}

/** What the file at a path takes from the quota; nothing if there is none, or no quota applies, or it may not be replaced. */
export async function replacedAt(
  quotas: Pick<Quotas, 'appliesTo'>,
  { files, path, replace }: Replacing,
): Promise<Amount> {
  if (!replace || !quotas.appliesTo(files.user, path)) return NOTHING
  // Without a result, nothing is there, or the write itself is refused for the same reason.
  const found = await unlessFails(files.scope.stat(path, { ...files.view('/'), sniff: false }))
  return found === undefined || found.isDir ? NOTHING : { bytes: found.size, files: 1 }
}

/** The room of one file that is written at once, and may replace another. Dispose of it. */
export class FileRoom implements AsyncDisposable {
  readonly #reservation: Reservation
  readonly #replaced: Amount
  #old: Amount = NOTHING

  private constructor(reservation: Reservation, replaced: Amount) {
    this.#reservation = reservation
    this.#replaced = replaced
  }

  /** @param length 0 if it is not known yet, see `growing` @throws QUOTA_EXCEEDED, BUSY */
  static async reserve(
    quotas: Pick<Quotas, 'appliesTo' | 'reserve'>,
    replacing: Replacing,
    length: number,
  ): Promise<FileRoom> {
    const replaced = await replacedAt(quotas, replacing)
    const amount = added({ bytes: length, files: 1 }, replaced)
    return new FileRoom(await quotas.reserve(replacing.files.user, replacing.path, amount), replaced)
  }

  /** For a body of unknown length, as `Reservation.growing`. */
  growing(): ((bytes: number) => Promise<void>) | undefined {
    return this.#reservation.growing(this.#replaced.bytes)
  }

  /** Call it right before the effect. @throws CONFLICT if the replaced file does not cover any more what was not reserved */
  accept(current: Written | undefined): void {
    this.#old = amountOf(current)
    if (this.#reservation.isLimited) requireCovered(this.#replaced, this.#old)
  }

  /** Call it when the file is in place. */
  async settle(bytes: number): Promise<void> {
    await this.#reservation.settle(difference({ bytes, files: 1 }, this.#old))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reservation[Symbol.asyncDispose]()
  }
}

export function amountOf(file: Pick<Written, 'size'> | undefined): Amount {
  return file === undefined ? NOTHING : { bytes: file.size, files: 1 }
}

/**
 * The replaced file has shrunk or was removed since it was measured, and others may have reserved what it took.
 *
 * @throws CONFLICT
 */
export function requireCovered(replaced: Amount, current: Amount): void {
  if (current.bytes < replaced.bytes || current.files < replaced.files)
    fail('CONFLICT', 'the file was changed meanwhile; try again', { reason: 'changed' })
}
