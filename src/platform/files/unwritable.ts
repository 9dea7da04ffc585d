import { type ErrorCode, FilemgrError } from '../../domain/errors.ts'
import { errorCode } from './error-code.ts'

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
