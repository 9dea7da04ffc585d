import { fail } from '../../domain/errors.ts'
import type { JobControl } from '../../platform/limits/job-queue.ts'
import type { LeftOutReason } from '../../storage/storage.ts'

const EXPLANATIONS: Readonly<Record<Exclude<LeftOutReason, 'attributes'>, string>> = {
  changed: 'changed meanwhile, or cannot be copied',
  'in use': 'something is being written into it; move it when that has ended',
  'copy is gone': 'its copy was removed or changed meanwhile',
}

interface LeftOutControl extends Omit<JobControl, 'leftOut'> {
  readonly leftOut: (name: string, reason: LeftOutReason) => void
}

/** Counts entries that could not be moved. */
export class LeftOut {
  readonly control: LeftOutControl
  #first: { readonly name: string; readonly reason: keyof typeof EXPLANATIONS } | undefined
  #count = 0

  constructor(control: JobControl) {
    this.control = {
      ...control,
      leftOut: (name, reason) => {
        control.leftOut(name)
        // The entry itself has been moved.
        if (reason === 'attributes') return
        this.#first ??= { name, reason }
        this.#count += 1
      },
    }
  }

  /** Call it last. @throws CONFLICT, so that the caller knows that some originals still exist */
  requireNone(): void {
    if (this.#first === undefined) return
    const { name, reason } = this.#first
    const more = this.#count === 1 ? '' : ` and ${this.#count - 1} more`
    fail('CONFLICT', `moved, except "${name}"${more}: ${EXPLANATIONS[reason]}`)
  }
}
