import fs from 'node:fs/promises'
import { FilemgrError } from '../../domain/errors.ts'
import { isErrno } from '../../platform/files/error-code.ts'

/** The calls that a durable write consists of. Passed in so that tests can make the n-th of them fail. */
export type Disk = Pick<typeof fs, 'open' | 'rename' | 'unlink'>

export const nodeDisk: Disk = fs

/**
 * Turns a system error from reading or writing our own data into one with a readable message. Other errors are returned
 * unchanged.
 */
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
    : // Node's message continues with the path, which clients must not see.
      error.message.split(',')[0]
  const message = `${name} cannot be ${failed}: ${reason}.`
  return new FilemgrError('STORE_INVALID', message, { reason: 'unreachable' }, { cause: error })
}
