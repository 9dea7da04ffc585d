import { constants } from 'node:os'
import { type ErrorCode, FilemgrError } from '../../domain/errors.ts'

const QUOTA_EXCEEDED = -constants.errno.EDQUOT

/** The code of a system error, such as "ENOSPC". Node has no name for EDQUOT, a used-up quota of a disk, only its number. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, errno } = error as { code?: unknown; errno?: unknown }
  if (errno === QUOTA_EXCEEDED) return 'EDQUOT'
  return typeof code === 'string' ? code : undefined
}

/** The error for a file that could not be written: NO_SPACE, NOT_FOUND for its folder, FORBIDDEN or `otherwise` with the system's error code. */
export function unwritable(name: string, error: unknown, otherwise: ErrorCode): FilemgrError {
  const code = errorCode(error) ?? 'unknown error'
  const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)
  if (['ENOENT', 'ENOTDIR'].includes(code))
    return new FilemgrError('NOT_FOUND', `the folder of ${name} does not exist; make it first`, {}, { cause: error })
  const reason = isFull ? 'no space left' : code
  return new FilemgrError(
    isFull ? 'NO_SPACE' : ['EACCES', 'EPERM', 'EROFS'].includes(code) ? 'FORBIDDEN' : otherwise,
    `${name} cannot be written (${reason})`,
    {},
    { cause: error },
  )
}

/** True for an error of the operating system with one of these codes. */
export function isErrno(error: unknown, ...codes: string[]): error is NodeJS.ErrnoException {
  return codes.includes(errorCode(error) ?? '')
}

/** Awaits a file system call; undefined when it fails with one of these codes. */
export async function unlessErrno<T>(call: Promise<T>, ...codes: string[]): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (isErrno(error, ...codes)) return undefined
    throw error
  }
}
