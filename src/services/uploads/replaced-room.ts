import { added, type Amount, difference } from '../../domain/access/quota.ts'
import { amountOf as amountOfUpload, type UploadRecord } from '../../domain/uploads/upload.ts'
import { parseVirtualPath } from '../../domain/files/virtual-path.ts'
import type { Written } from '../../storage/storage.ts'
import type { FileAccess } from '../access/access.ts'
import type { Quotas } from '../access/quotas/quotas.ts'
import { amountOf, replacedAt, requireCovered } from '../access/quotas/replacement.ts'
import type { Reservation } from '../access/quotas/reservation.ts'

/**
 * The file that an upload replaces may have shrunk, or was removed, since the upload began. Then room for the difference is
 * reserved when the upload ends.
 */
export class ReplacedRoom implements AsyncDisposable {
  readonly #reservation: Reservation | undefined
  readonly #missing: Amount
  /** What was not reserved, since the replaced file takes it. */
  readonly #covered: Amount

  private constructor(reservation: Reservation | undefined, missing: Amount, covered: Amount) {
    this.#reservation = reservation
    this.#missing = missing
    this.#covered = covered
  }

  /** @throws QUOTA_EXCEEDED, BUSY */
  static async reserve(
    quotas: Pick<Quotas, 'appliesTo' | 'reserve'>,
    files: FileAccess,
    record: UploadRecord,
  ): Promise<ReplacedRoom> {
    const { length, replaces, override: replace } = record
    const whole = { bytes: length, files: 1 }
    const path = parseVirtualPath(record.path)
    const replaced = await replacedAt(quotas, { files, path, replace: replace && replaces !== undefined })
    const covered = { bytes: Math.min(replaced.bytes, replaces ?? 0), files: replaced.files }
    const missing = difference(added(whole, covered), amountOfUpload(record))
    const isMissing = missing.bytes > 0 || missing.files > 0
    const reservation = isMissing ? await quotas.reserve(files.user, path, missing) : undefined
    return new ReplacedRoom(reservation, missing, covered)
  }

  /** Call it right before the effect. @throws CONFLICT if the file has shrunk again */
  accept(current: Written | undefined): void {
    requireCovered(this.#covered, amountOf(current))
  }

  /** Call it when the file is in place. */
  async settle(): Promise<void> {
    await this.#reservation?.settle(this.#missing)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reservation?.[Symbol.asyncDispose]()
  }
}
