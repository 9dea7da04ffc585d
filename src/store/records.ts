import { readdirSync, readFileSync } from 'node:fs'
import { lstat, mkdir, open, readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { isFilemgrError } from '../domain/errors.ts'
import { parseJson } from '../domain/schema/parse-value.ts'
import { createValueCheck } from '../platform/validation/value-check.ts'
import { isTemporary, syncFolder, writeAtomic } from './atomic-file.ts'
import { diskFailure, isErrno, nodeDisk, unlessErrno } from './disk.ts'
import { silentLog, type StoreLog, type Records } from './store.ts'
import { createSerialQueue } from './changes.ts'

/** Files that are read or removed at once; other parts of the daemon need the thread pool too. */
const AT_ONCE = 16

interface FileRecordsOptions<R> {
  readonly folder: string
  /** Of `R`. */
  readonly schema: TSchema
  /** The id of a record; the schema must only allow plain file names. */
  readonly idOf: (record: R) => string
  readonly log?: StoreLog
}

interface FileRecords<R> extends Records<R> {
  /** As `list`, but synchronous and faster, for a process that serves no requests. @throws as `put` */
  listNow(): R[]
  /** Tries again to save the records that the disk had no room for. */
  flush(): Promise<void>
}

/** Records as one JSON file each, in a folder that is created with the first of them. */
export function fileRecords<R>({ folder, schema, idOf, log = silentLog }: FileRecordsOptions<R>): FileRecords<R> {
  const check = createValueCheck(schema)
  const pathOf = (id: string) => join(folder, `${id}.json`)
  /** Records that the disk had no room for. */
  const unsaved = new Map<string, R>()
  /** Calls for one record run in order, or a record that was removed could be written again. */
  const queues = new Map<string, { readonly run: ReturnType<typeof createSerialQueue>; waiting: number }>()

  const enqueue = async (id: string, task: () => Promise<void>): Promise<void> => {
    const queue = queues.get(id) ?? { run: createSerialQueue(), waiting: 0 }
    queues.set(id, queue)
    queue.waiting += 1
    try {
      await queue.run(task)
    } finally {
      queue.waiting -= 1
      if (queue.waiting === 0) queues.delete(id)
    }
  }

  const save = async (record: R): Promise<void> => {
    const id = idOf(record)
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeAtomic(pathOf(id), Buffer.from(JSON.stringify(record)))
    } catch (error) {
      throw diskFailure(error, pathOf(id), 'saved')
    }
    unsaved.delete(id)
  }

  const put = async (record: R): Promise<void> => {
    try {
      await save(record)
    } catch (error) {
      if (!isFilemgrError(error, 'NO_SPACE')) throw error
      if (unsaved.size === 0) log.error(`${error.message} Records are kept in memory until there is room.`)
      unsaved.set(idOf(record), record)
    }
  }

  const saveUnsaved = async (): Promise<void> => {
    for (const [id, record] of unsaved)
      await enqueue(id, async () => {
        if (unsaved.get(id) === record) await put(record)
      })
  }

  const read = (name: string, text: string): R | undefined => {
    const value = parseJson(text)
    return check.accepts(value, text.length) && `${idOf(value as R)}.json` === name ? (value as R) : undefined
  }

  return {
    flush: saveUnsaved,

    listNow() {
      try {
        const names = unlessMissing(() => readdirSync(folder)) ?? []
        return names.filter(isRecord).flatMap((name) => {
          const text = unlessMissing(() => readFileSync(join(folder, name), 'utf8'))
          return text === undefined ? [] : (read(name, text) ?? [])
        })
      } catch (error) {
        throw diskFailure(error, folder, 'opened')
      }
    },

    async list() {
      const names = ((await unlessErrno(readdir(folder), 'ENOENT')) ?? []).filter(isRecord)
      const load = async (name: string) => {
        const text = await unlessErrno(readFile(join(folder, name), 'utf8'), 'ENOENT')
        return text === undefined ? undefined : read(name, text)
      }
      const records: R[] = []
      for (let first = 0; first < names.length; first += AT_ONCE) {
        const some = await Promise.all(names.slice(first, first + AT_ONCE).map(load))
        records.push(...(some.filter((record) => record !== undefined && !unsaved.has(idOf(record))) as R[]))
      }
      return [...records, ...unsaved.values()]
    },

    async put(record) {
      const id = idOf(record)
      await enqueue(id, async () => await put(record))
      if (!unsaved.has(id)) await saveUnsaved()
    },

    async remove(...ids) {
      let gone = 0
      const remove = async (id: string): Promise<void> => {
        unsaved.delete(id)
        try {
          await unlink(pathOf(id))
          gone += 1
        } catch (error) {
          if (isErrno(error, 'ENOENT')) return
          // Best effort: an empty file is not a record, so a session that was ended does not come back after a crash.
          await empty(pathOf(id)).catch(() => undefined)
          throw error
        }
      }
      try {
        for (let first = 0; first < ids.length; first += AT_ONCE)
          await Promise.all(ids.slice(first, first + AT_ONCE).map((id) => enqueue(id, async () => await remove(id))))
        if (gone > 0) await syncFolder(folder, nodeDisk)
      } catch (error) {
        throw diskFailure(error, folder, 'saved')
      }
    },

    async sweep(before) {
      await saveUnsaved()
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

function isRecord(name: string): boolean {
  return name.endsWith('.json')
}

/** Undefined for a file or folder that does not exist (any more). */
function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

async function empty(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.truncate()
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A complete record of another form stays: a newer filemgr may have written it. */
async function isHalfWritten(path: string): Promise<boolean> {
  if (!path.endsWith('.json')) return path.includes('.json.') && isTemporary(path)
  const text = await unlessErrno(readFile(path, 'utf8'), 'ENOENT')
  return text !== undefined && parseJson(text) === undefined
}

/** Records that are lost when the process ends. */
export function memoryRecords<R extends { readonly id: string }>(): Records<R> {
  const records = new Map<string, R>()
  return {
    list: async () => [...records.values()],
    put: async (record) => void records.set(record.id, record),
    async remove(...ids) {
      for (const id of ids) records.delete(id)
    },
    sweep: async () => 0,
  }
}
