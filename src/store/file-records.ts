import { lstat, mkdir, readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { parseJson } from '../domain/parse-json.ts'
import { createValueCheck } from '../platform/value-check.ts'
import { isTemporary, writeAtomic } from './atomic-file.ts'
import { diskFailure } from './disk-failure.ts'
import { unlessErrno } from './disk.ts'
import type { Records } from './store.ts'

/**
 * Records as one JSON file each, in a folder that is made with the first of them.
 *
 * @param schema of `R`; it must let only plain file names be ids
 */
export function fileRecords<R extends { readonly id: string }>(folder: string, schema: TSchema): Records<R> {
  const check = createValueCheck(schema)
  const pathOf = (id: string) => join(folder, `${id}.json`)

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
        if (record !== undefined) records.push(record)
      }
      return records
    },

    async put(record) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeAtomic(pathOf(record.id), Buffer.from(JSON.stringify(record)))
      } catch (error) {
        throw diskFailure(error, pathOf(record.id), 'saved')
      }
    },

    remove: async (id) => await unlessErrno(unlink(pathOf(id)), 'ENOENT'),

    async sweep(before) {
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
