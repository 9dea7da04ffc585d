import { lstat, mkdir, readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { isFilemgrError } from '../domain/errors.ts'
import { parseJson } from '../domain/parse-json.ts'
import { createValueCheck } from '../platform/value-check.ts'
import { isTemporary, writeAtomic } from './atomic-file.ts'
import { diskFailure } from './disk-failure.ts'
import { unlessErrno } from './disk.ts'
import { silentLog, type StoreLog } from './store-log.ts'
import type { Records } from './store.ts'

/**
 * Records as one JSON file each, in a folder that is made with the first of them.
 *
 * @param schema of `R`; it must let only plain file names be ids
 */
export function fileRecords<R extends { readonly id: string }>(
  folder: string,
  schema: TSchema,
  log: StoreLog = silentLog,
): Records<R> {
  const check = createValueCheck(schema)
  const pathOf = (id: string) => join(folder, `${id}.json`)
  /** Those for which the disk had no room. */
  const unsaved = new Map<string, R>()

  const save = async (record: R): Promise<void> => {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeAtomic(pathOf(record.id), Buffer.from(JSON.stringify(record)))
    } catch (error) {
      throw diskFailure(error, pathOf(record.id), 'saved')
    }
    unsaved.delete(record.id)
  }

  const put = async (record: R): Promise<void> => {
    try {
      await save(record)
    } catch (error) {
      if (!isFilemgrError(error, 'NO_SPACE')) throw error
      if (unsaved.size === 0) log.error(`${error.message} What is going on is kept in memory until there is room.`)
      unsaved.set(record.id, record)
    }
  }

  const read = async (name: string): Promise<R | undefined> => {
    const text = await unlessErrno(readFile(join(folder, name), 'utf8'), 'ENOENT')
    if (text === undefined) return undefined
    const value = parseJson(text)
    return check.accepts(value, text.length) && `${(value as R).id}.json` === name ? (value as R) : undefined
  }

  return {
    async list() {
      const names = (await unlessErrno(readdir(folder), 'ENOENT')) ?? []
      const records: R[] = []
      for (const name of names.filter((candidate) => candidate.endsWith('.json'))) {
        const record = await read(name)
        if (record !== undefined && !unsaved.has(record.id)) records.push(record)
      }
      return [...records, ...unsaved.values()]
    },

    async put(record) {
      await put(record)
      if (!unsaved.has(record.id)) for (const other of unsaved.values()) await put(other)
    },

    async remove(id) {
      unsaved.delete(id)
      await unlessErrno(unlink(pathOf(id)), 'ENOENT')
    },

    async sweep(before) {
      for (const record of unsaved.values()) await put(record)
      const names = (await unlessErrno(readdir(folder), 'ENOENT')) ?? []
      let swept = 0
      for (const path of names.map((name) => join(folder, name))) {
        const found = await unlessErrno(lstat(path), 'ENOENT')
        if (found === undefined || !found.isFile() || found.mtimeMs >= before || !(await isHalfWritten(path))) continue
        await unlessErrno(unlink(path), 'ENOENT')
        swept += 1
      }
      return swept
    },
  }
}

/** A record of another form may be of a newer filemgr, and stays. */
async function isHalfWritten(path: string): Promise<boolean> {
  if (!path.endsWith('.json')) return path.includes('.json.') && isTemporary(path)
  const text = await unlessErrno(readFile(path, 'utf8'), 'ENOENT')
  return text !== undefined && parseJson(text) === undefined
}
