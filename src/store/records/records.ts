import { readdirSync, readFileSync } from 'node:fs'
import { open, readdir, readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { isFilemgrError } from '../../domain/errors.ts'
import { parseJson } from '../../domain/schema/parse-value.ts'
import { silentLogger } from '../../platform/logging/logger.ts'
import { createValueCheck } from '../../platform/validation/value-check.ts'
import { makeDurableFolder, syncFolder, TEMPORARY, writeAtomic } from '../disk/atomic-file.ts'
import { diskFailure } from '../disk/disk.ts'
import { isErrno, unlessErrno } from '../../platform/files/error-code.ts'
import type { StoreLog, Records } from '../store.ts'
import { createSerialQueue } from '../json/changes.ts'
import { matching } from './cached-records.ts'

/** How many files are read or removed at a time: other parts of the daemon need the thread pool too. */
const CONCURRENCY = 16

interface FileRecordsOptions<R> {
  readonly folder: string
  readonly schema: TSchema
  /** The id of a record; the schema must only allow plain file names. */
  readonly idOf: (record: R) => string
  readonly log?: StoreLog
  /** Whether a record that the disk has no room for is refused. Default: it is kept in memory until there is room. */
  readonly refusesUnsaved?: true
  /** What to log about a file that is no valid record, which is then kept under another name. Default: it is skipped. */
  readonly unreadable?: string
}

/** Ending of files that were no valid records. */
const ASIDE = '.unreadable'

interface FileRecords<R> extends Records<R> {
  /** As `list`, but synchronous and faster, for a process that serves no requests. @throws as `put` */
  listNow(): R[]
}

/** Keeps each record in a JSON file of its own. The folder is created with the first record. */
export function fileRecords<R>(options: FileRecordsOptions<R>): FileRecords<R> {
  const { folder, schema, idOf, log = silentLogger, refusesUnsaved, unreadable } = options
  const check = createValueCheck(schema)
  const pathOf = (id: string) => join(folder, `${id}.json`)
  /** Records that the disk had no room for. */
  const unsaved = new Map<string, R>()
  /** Calls for one record run in order: otherwise a record could be written again after its removal. */
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

  /** Call before the first save. Only the holder of the data lock saves, so temporary files are leftovers of killed writers. */
  const removeLeftovers = async (): Promise<void> => {
    const leftovers = (await readdir(folder)).filter((name) => name.includes('.json.') && name.endsWith(TEMPORARY))
    for (const name of leftovers) await unlink(join(folder, name))
  }
  let cleaning: Promise<void> | undefined
  const clean = async (): Promise<void> => {
    cleaning ??= removeLeftovers().catch((error: unknown) => {
      cleaning = undefined
      throw error
    })
    await cleaning
  }

  const save = async (record: R): Promise<void> => {
    const id = idOf(record)
    try {
      await makeDurableFolder(folder)
      await clean()
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
      if (refusesUnsaved || !isFilemgrError(error, 'NO_SPACE')) throw error
      if (unsaved.size === 0) log.error(`${error.message} Records are kept in memory until there is room.`)
      unsaved.set(idOf(record), record)
    }
  }

  const flush = async (): Promise<void> => {
    for (const [id, record] of unsaved)
      await enqueue(id, async () => {
        if (unsaved.get(id) === record) await put(record)
      })
  }

  const read = (name: string, text: string): R | undefined => {
    const value = parseJson(text)
    return check.accepts(value, text.length) && `${idOf(value as R)}.json` === name ? (value as R) : undefined
  }

  /** An empty file is what `remove` leaves if the disk refuses to remove it. */
  const setAside = async (name: string, text: string): Promise<void> => {
    if (unreadable === undefined || text === '') return
    const kept = `${name}${ASIDE}`
    try {
      await rename(join(folder, name), join(folder, kept))
      log.error(`${join(folder, kept)}: ${unreadable}. The file is kept, and not read again.`)
    } catch (error) {
      log.error(`${join(folder, name)}: ${unreadable}. It cannot be renamed: ${String(error)}`)
    }
  }

  return {
    flush,

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

    async list(where) {
      const names = ((await unlessErrno(readdir(folder), 'ENOENT')) ?? []).filter(isRecord)
      const load = async (name: string) => {
        const text = await unlessErrno(readFile(join(folder, name), 'utf8'), 'ENOENT')
        const record = text === undefined ? undefined : read(name, text)
        if (record === undefined && text !== undefined) await setAside(name, text)
        return record
      }
      const records: R[] = []
      for (let first = 0; first < names.length; first += CONCURRENCY) {
        const loaded = await Promise.all(names.slice(first, first + CONCURRENCY).map(load))
        records.push(...(loaded.filter((record) => record !== undefined && !unsaved.has(idOf(record))) as R[]))
      }
      return matching([...records, ...unsaved.values()], where)
    },

    async put(record) {
      const id = idOf(record)
      await enqueue(id, async () => await put(record))
      if (!unsaved.has(id)) await flush()
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
          // Best effort: an empty file is not a record, so the ended session does not come back after a crash.
          await empty(pathOf(id)).catch(() => undefined)
          throw error
        }
      }
      try {
        for (let first = 0; first < ids.length; first += CONCURRENCY)
          await Promise.all(
            ids.slice(first, first + CONCURRENCY).map((id) => enqueue(id, async () => await remove(id))),
          )
        if (gone > 0) await syncFolder(folder)
      } catch (error) {
        throw diskFailure(error, folder, 'saved')
      }
    },
  }
}

function isRecord(name: string): boolean {
  return name.endsWith('.json')
}

/** Undefined if the file or folder does not exist. */
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

/** Records that are lost when the process ends. */
export function memoryRecords<R extends { readonly id: string }>(): Records<R> {
  const records = new Map<string, R>()
  return {
    list: async (where) => matching(records.values(), where),
    put: async (record) => void records.set(record.id, record),
    async remove(...ids) {
      for (const id of ids) records.delete(id)
    },
    flush: async () => undefined,
  }
}
