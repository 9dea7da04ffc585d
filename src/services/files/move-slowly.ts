import type { VirtualPath } from '../../domain/files/virtual-path.ts'
import type { JobControl } from '../../platform/limits/job-queue.ts'
import type { TransferMode, Work } from '../../storage/storage.ts'
import type { FileAccess } from '../access/access.ts'
import { LeftOut } from './left-out.ts'

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
