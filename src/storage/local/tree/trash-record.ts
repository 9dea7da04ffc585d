import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { constants } from 'node:fs'
import { parseJson } from '../../../domain/parse-value.ts'
import { parseVirtualPath } from '../../../domain/virtual-path.ts'
import type { TrashedEntry } from '../../storage.ts'
import { close, fdatasync, open, read, write } from '../gated-calls.ts'
import { errnoCode } from '../os-error.ts'
import { at, type Handle } from '../handle.ts'
const RECORD = 'record.json'

const TrashRecord = Type.Object({
  path: Type.String(),
  isDir: Type.Boolean(),
  size: Type.Integer({ minimum: 0 }),
  deleted: Type.Integer({ minimum: 0 }),
})
type TrashRecord = Static<typeof TrashRecord>

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants
/** A path of some thousand bytes, escaped, and little else. */
const LONGEST = 64 * 1024

/** Written before anything is moved beside it. */
export async function writeRecord(folder: Handle, { path, isDir, size, deleted }: TrashedEntry): Promise<void> {
  const bytes = Buffer.from(JSON.stringify({ path, isDir, size, deleted } satisfies TrashRecord))
  const fd = await open(at(folder, RECORD), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    for (let done = 0; done < bytes.length;)
      done += (await write(fd, bytes, done, bytes.length - done, done)).bytesWritten
    await fdatasync(fd)
  } finally {
    await close(fd)
  }
}

/** Undefined for what is no record of ours. */
export async function readRecord(folder: Handle, id: string): Promise<TrashedEntry | undefined> {
  const text = await readText(folder)
  if (text === undefined) return undefined
  const record = parseJson(text)
  if (!Value.Check(TrashRecord, record)) return undefined
  return { id, ...record, path: parseVirtualPath(record.path) }
}

async function readText(folder: Handle): Promise<string | undefined> {
  let fd: number
  try {
    // A pipe that somebody put there is not waited for.
    fd = await open(at(folder, RECORD), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    if (errnoCode(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    const bytes = Buffer.allocUnsafe(LONGEST)
    const { bytesRead } = await read(fd, bytes, 0, LONGEST, 0)
    return bytes.toString('utf8', 0, bytesRead)
  } finally {
    await close(fd)
  }
}
