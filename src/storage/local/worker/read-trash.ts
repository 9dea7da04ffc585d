import { closeSync, constants, lstatSync, openSync, readSync } from 'node:fs'
import { isErrno } from '../../../platform/files/error-code.ts'
import { TRASH_CONTENT } from '../../reserved-names.ts'
import { HOLD_FOLDER_ITSELF } from '../system/handle.ts'
import { holdSync, type NameBytes, pathOf, readNames } from './sync-calls.ts'

export interface TrashInput {
  /** Descriptor of the main thread for the folder of an owner, open until the job ends. */
  readonly folder: number
  /** Only these, as far as they are there. */
  readonly ids?: readonly string[] | undefined
}

export interface FoundRecord {
  readonly id: string
  readonly text: string
  /** False while the content is still being moved here, or if it was when the power failed. */
  readonly hasContent: boolean
}

export const RECORD = 'record.json'

/** Bytes: enough for an escaped path of 4096 bytes and a few fields. */
const MAX_RECORD = 64 * 1024
/** Entries between two turns of other jobs. */
const STEP = 500

/** Returns the records in the trash of an owner, each as `FoundRecord`. */
export function* readTrash({ folder, ids }: TrashInput): Generator<undefined, FoundRecord[], void> {
  const found: FoundRecord[] = []
  const bytes = Buffer.allocUnsafe(MAX_RECORD)
  for (const [index, id] of (ids ?? readNames({ fd: folder })).entries()) {
    if (index % STEP === STEP - 1) yield
    const record = recordAt({ fd: folder }, id, bytes)
    if (record !== undefined) found.push(record)
  }
  return found
}

/** Undefined for files of other programs, and for entries that are removed meanwhile. Follows no links: users of the disk could have planted them. */
function recordAt(folder: { readonly fd: number }, id: NameBytes, bytes: Buffer): FoundRecord | undefined {
  try {
    using entry = holdSync(pathOf(folder, id), HOLD_FOLDER_ITSELF)
    const text = textOf(pathOf(entry, RECORD), bytes)
    const content = lstatSync(pathOf(entry, TRASH_CONTENT), { throwIfNoEntry: false })
    return { id, text, hasContent: content !== undefined }
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP')) return undefined
    throw error
  }
}

function textOf(path: string | Buffer, bytes: Buffer): string {
  // O_NONBLOCK: a planted FIFO would block the open.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, MAX_RECORD, 0))
  } finally {
    closeSync(fd)
  }
}
