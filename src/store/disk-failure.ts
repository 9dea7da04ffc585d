import { FilemgrError } from '../domain/errors.ts'
import { isErrno } from './disk.ts'

/** What a failed read or write of our own data means to people. Other errors than the system's stay as they are. */
export function diskFailure(error: unknown, name: string, failed: 'opened' | 'saved'): unknown {
  if (isErrno(error, 'ENOSPC', 'EDQUOT'))
    return new FilemgrError(
      'NO_SPACE',
      `No space is left on the disk of the data folder to save ${name}; nothing was changed.`,
      {},
      { cause: error },
    )
  if (!(error instanceof Error && 'syscall' in error)) return error
  const reason = isErrno(error, 'EACCES', 'EPERM', 'EROFS')
    ? 'this account may not read and write the data folder'
    : // Node's text goes on with the path, which is not for everybody's eyes.
      error.message.split(',')[0]
  const message = `${name} cannot be ${failed}: ${reason}.`
  return new FilemgrError('STORE_INVALID', message, { reason: 'unreachable' }, { cause: error })
}
