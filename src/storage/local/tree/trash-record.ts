import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { parseJson } from '../../../domain/parse-json.ts'
import { parseVirtualPath } from '../../../domain/virtual-path.ts'
import type { TrashedEntry } from '../../storage.ts'
import { errorWord } from '../os-error.ts'
import { at, type Pin } from '../pin.ts'

const RECORD = 'record.json'

const TrashRecord = Type.Object({
  path: Type.String(),
  isDir: Type.Boolean(),
  size: Type.Integer({ minimum: 0 }),
  deleted: Type.Integer({ minimum: 0 }),
})
type TrashRecord = Static<typeof TrashRecord>

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants

/** Written before anything is moved beside it. */
export async function writeRecord(folder: Pin, { path, isDir, size, deleted }: TrashedEntry): Promise<void> {
  await using file = await open(at(folder, RECORD), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  await file.writeFile(JSON.stringify({ path, isDir, size, deleted } satisfies TrashRecord))
  await file.datasync()
}

/** Undefined for what is no record of ours. */
export async function readRecord(folder: Pin, id: string): Promise<TrashedEntry | undefined> {
  const text = await readText(folder)
  if (text === undefined) return undefined
  const record = parseJson(text)
  if (!Value.Check(TrashRecord, record)) return undefined
  return { id, ...record, path: parseVirtualPath(record.path) }
}

async function readText(folder: Pin): Promise<string | undefined> {
  try {
    await using file = await open(at(folder, RECORD), O_RDONLY | O_NOFOLLOW)
    return await file.readFile('utf8')
  } catch (error) {
    if (errorWord(error) === 'ENOENT') return undefined
    throw error
  }
}
