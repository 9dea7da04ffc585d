import { fail } from '../../domain/errors.ts'
import type { JobControl } from '../../platform/limits/job-queue.ts'
import { LEFT_OUT_TEXTS } from '../../domain/files/left-out.ts'
import type { SkipReason, TransferMode, Work } from '../../storage/storage.ts'
import type { VirtualPath } from '../../domain/files/virtual-path.ts'
import type { FileAccess } from '../access/file-access.ts'

interface LeftOutControl extends Omit<JobControl, 'leftOut'> {
  readonly leftOut: (name: string, reason: SkipReason) => void
}

/** Counts entries that could not be moved. */
export class LeftOut {
  readonly control: LeftOutControl
  #first: { readonly name: string; readonly reason: SkipReason } | undefined
  #count = 0

  constructor(control: JobControl) {
    this.control = {
      ...control,
      leftOut: (name, reason) => {
        control.leftOut(name, reason)
        // The entry itself has been moved.
        if (reason === 'attributes') return
        this.#first ??= { name, reason }
        this.#count += 1
      },
    }
  }

  get isNone(): boolean {
    return this.#first === undefined
  }

  /** Call it last. @throws CONFLICT, so that the caller knows that some originals still exist */
  requireNone(): void {
    if (this.#first === undefined) return
    const { name, reason } = this.#first
    const more = this.#count === 1 ? '' : ` and ${this.#count - 1} more`
    fail('CONFLICT', `moved, except "${name}"${more}: ${LEFT_OUT_TEXTS[reason]}`)
  }
}

/** Copies and deletes. @throws CONFLICT if some files could not be moved */
export async function moveSlowly(
  files: FileAccess,
  from: VirtualPath,
  to: VirtualPath,
  mode: TransferMode,
  control: JobControl & Pick<Work, 'admitFolder'>,
): Promise<void> {
  const leftOut = new LeftOut(control)
  const { signal, admitFolder } = control
  const work = { signal, leftOut: leftOut.control.leftOut, accept: files.requireStill, admitFolder }
  await files.scope.move(from, to, mode, work)
  leftOut.requireNone()
}
