import { type ErrorCode, FilemgrError } from '../../../domain/errors.ts'
import { DiskRefusal } from '../../../platform/files/disk-refusal.ts'
import { errorCode } from '../../../platform/files/error-code.ts'

/** The only place that translates errno codes. */
const MEANINGS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOENT: ['NOT_FOUND', 'there is nothing at this path'],
  EACCES: ['FORBIDDEN', 'the disk does not permit this to the server, whose log names the reason'],
  EPERM: ['FORBIDDEN', 'the disk does not permit this to the server, whose log names the reason'],
  EROFS: ['FORBIDDEN', 'the disk is read-only'],
  ELOOP: ['FORBIDDEN', 'a link leads in circles or may not be followed'],
  EEXIST: ['CONFLICT', 'something with this name is already there'],
  EBUSY: ['CONFLICT', 'a disk is mounted here: unmount it first'],
  ENOTEMPTY: ['CONFLICT', 'the folder is not empty'],
  EISDIR: ['CONFLICT', 'a folder is in the way'],
  ENOTDIR: ['INVALID_INPUT', 'a part of the path is not a folder'],
  ENAMETOOLONG: ['INVALID_INPUT', 'the name or the path is too long'],
  EINVAL: ['INVALID_INPUT', 'the disk does not accept this name'],
  EILSEQ: ['INVALID_INPUT', 'the disk does not accept this name'],
  ENOSPC: ['NO_SPACE', 'the disk is full: free some space and try again'],
  EDQUOT: ['NO_SPACE', 'the quota of the disk is used up: free some space and try again'],
  EFBIG: ['TOO_LARGE', 'the disk cannot hold a file of this size'],
  EMFILE: ['BUSY', 'too many files are open: try again in a moment'],
  ENFILE: ['BUSY', 'too many files are open: try again in a moment'],
}

/** Error codes for what the disk refuses to the account of the server. */
const REFUSALS: readonly string[] = ['EACCES', 'EPERM', 'EROFS']

/** Error codes of a disk that was pulled or is broken, and of a network or FUSE mount whose server is gone. */
const FAULTS: readonly string[] = ['EIO', 'ENODEV', 'ENXIO', 'ENOTCONN', 'ESTALE', 'EHOSTDOWN']
/** Seconds. */
const FAULT_RETRY = 10

/**
 * Translates system errors. Their text contains real paths, which users must not see, so it stays in the cause, for logs.
 *
 * @param path as the user sees it
 * @param realPath where that is on the disk
 */
export function translateError(error: unknown, path: string, realPath?: string): unknown {
  // The work failed, and then its cleanup: report the first failure.
  if (error instanceof SuppressedError) return translateError(error.suppressed, path, realPath)
  const ours = error instanceof FilemgrError ? error : fromSystem(error, realPath)
  if (ours?.code === 'NOT_FOUND' && path.includes('\ufffd')) {
    const message = 'there is nothing at this path; \ufffd in a shown name stands for bytes that are not UTF-8'
    return new FilemgrError('NOT_FOUND', message, ours.details, { cause: error })
  }
  return ours ?? error
}

/** The errno code, such as "ENOENT". */
export function errnoCode(error: unknown): string | undefined {
  return error instanceof FilemgrError ? undefined : errorCode(error)
}

function fromSystem(error: unknown, realPath: string | undefined): FilemgrError | undefined {
  const word = errnoCode(error)
  if (word === undefined || !/^E[A-Z0-9]+$/.test(word)) return undefined
  const [code, message] = MEANINGS[word] ?? ['INTERNAL', `the disk failed (${word})`]
  const isFault = FAULTS.includes(word)
  const isLogged = (isFault || REFUSALS.includes(word)) && realPath !== undefined
  const cause = isLogged ? new DiskRefusal(word, callIn(error), realPath, { cause: error }) : error
  if (isFault)
    return new FilemgrError('UNAVAILABLE', `the disk fails (${word}): check it`, { retryAfter: FAULT_RETRY }, { cause })
  if (!isLogged) return new FilemgrError(code, message, {}, { cause })
  return new FilemgrError(code, message, { reason: 'disk' }, { cause })
}

/** What an open entry itself refuses is reading. Errors from workers keep only their message: "EACCES: …, scandir '/proc/self/fd/9'". */
function callIn(error: unknown): { readonly name: string; readonly reads: boolean } {
  const [, name = '', path = ''] = /, (\w+)(?: '([^']*)')?/.exec(error instanceof Error ? error.message : '') ?? []
  return { name, reads: /^\/proc\/self\/fd\/\d+$/.test(path) }
}
