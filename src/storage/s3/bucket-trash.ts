import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { fail, throwIfCancelled } from '../../domain/errors.ts'
import { parseJson } from '../../domain/schema/parse-value.ts'
import type { TrashedEntry } from '../../domain/files/trash.ts'
import { parseVirtualPath, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { systemRandom } from '../../platform/security/random.ts'
import { TRASH, TRASH_CONTENT } from '../reserved-names.ts'
import type { TransferMode, Trash, TrashRun, Work } from '../storage.ts'
import { type BucketRoot, type Found, keepFolderAbove, lookUp } from './bucket-root.ts'
import { wholeOf } from './client.ts'
import { mapParallel } from './in-parallel.ts'
import { isSmall, moveTo } from './move-entry.ts'
import { removeFound, requireAllShown } from './remove-entry.ts'
import { requireMovable, type Target, targetAt } from './targets.ts'

/** Key of the record of a deleted entry, below `.filemgr-trash/<owner>/<id>/`. */
const RECORD = 'record.json'
const NAME = /^[\w-]{1,64}$/
/** An id begins with the time in seconds, so that a sweep finds old entries without reading their records. */
const ID = /^([0-9a-z]{8})[\w-]{8}$/

/** @param job the id of the job, so that its next run puts the rest into the same entry */
function newId(deleted: number, job = systemRandom.token(6)): string {
  return (
    Math.floor(deleted / 1000)
      .toString(36)
      .padStart(8, '0') + job.slice(0, 8)
  )
}

const TrashRecord = Type.Object({
  path: Type.String({ maxLength: 4096 }),
  isDir: Type.Boolean(),
  size: Type.Integer({ minimum: 0 }),
  deleted: Type.Integer({ minimum: 0 }),
})
type TrashRecord = Static<typeof TrashRecord>

/** The trash in the scope's folder, so that it is moved and removed with that folder. */
export function bucketTrash(root: BucketRoot): Trash {
  async function restoreFound(
    owner: string,
    id: string,
    to: VirtualPath,
    source: Found | undefined,
    work: Work,
    earlier?: TransferMode['earlier'],
  ): Promise<void> {
    if (source !== undefined) {
      const target = targetAt(root, to, { replace: false, earlier }, work)
      await moveTo(root, source, target, work)
    }
    // Something may have stayed, which would be in no list without its record.
    if ((await lookUp(root, prefixOf(owner, id) + TRASH_CONTENT)) === undefined) await forget(owner, id)
    // Another request has just restored it, to another place.
    if (source === undefined && earlier === undefined) failUnknown()
  }

  async function putFound(
    owner: string,
    path: VirtualPath,
    deleted: number,
    source: Found,
    work: Work,
    run?: TrashRun,
  ): Promise<TrashedEntry> {
    // What is in the trash is deleted some day.
    await requireAllShown(root, source, work.signal)
    const isDir = source.kind === 'folder'
    const size = isDir ? 0 : source.object.size
    const entry = { id: newId(deleted, run?.id), path, isDir, size, deleted }
    const prefix = prefixOf(owner, entry.id)
    const record = JSON.stringify({ path, isDir, size, deleted } satisfies TrashRecord)
    const putRecord = async () => {
      const headers = { ContentType: 'application/json' }
      await root.bucket.put(prefix + RECORD, Buffer.from(record), { headers, modified: undefined })
    }
    const target: Target = {
      key: prefix + TRASH_CONTENT,
      replace: false,
      earlier: run?.earlier,
      prepare: async () => undefined,
      // The user may have emptied the trash while this entry was still arriving.
      recheck: async () => {
        if ((await root.bucket.head(prefix + RECORD)) === undefined) await putRecord()
      },
    }
    // The record first, because content without a record would not be listed.
    await putRecord()
    try {
      await moveTo(root, source, target, work)
    } catch (error) {
      if ((await lookUp(root, target.key)) === undefined) await forget(owner, entry.id)
      throw error
    }
    await keepFolderAbove(root, path)
    return entry
  }

  /** Removes the record last: if this is interrupted, the entry is still listed. */
  async function removeForGood(owner: string, id: string, work: Work): Promise<void> {
    const content = prefixOf(owner, id) + TRASH_CONTENT
    throwIfCancelled(work.signal)
    const found = await lookUp(root, content)
    if (found !== undefined) await removeFound(root, found, work)
    throwIfCancelled(work.signal)
    await forget(owner, id)
  }

  async function forget(owner: string, id: string): Promise<void> {
    await root.bucket.remove([prefixOf(owner, id) + RECORD])
  }

  /** @throws NOT_FOUND for an unknown id */
  async function contentOf(owner: string, id: string): Promise<Found | undefined> {
    await requireKnown(owner, id)
    return await lookUp(root, prefixOf(owner, id) + TRASH_CONTENT)
  }

  /** @throws NOT_FOUND */
  async function requireKnown(owner: string, id: string): Promise<void> {
    const isKnown = [owner, id].every((name) => NAME.test(name))
    if (!isKnown || (await root.bucket.head(prefixOf(owner, id) + RECORD)) === undefined) failUnknown()
  }

  /** Undefined if there is no valid record. */
  async function readRecord(owner: string, id: string): Promise<TrashedEntry | undefined> {
    const found = await root.bucket.get(prefixOf(owner, id) + RECORD)
    const record = found && parseJson((await wholeOf(found.body)).toString())
    if (!Value.Check(TrashRecord, record)) return undefined
    return { id, ...record, path: parseVirtualPath(record.path) }
  }

  async function idsOf(owner: string): Promise<string[]> {
    if (!NAME.test(owner)) return []
    return (await namesIn(`${owner}/`)).filter((id) => NAME.test(id))
  }

  async function namesIn(folder: string): Promise<string[]> {
    const prefix = `${root.prefix}${TRASH}/${folder}`
    const names: string[] = []
    for await (const { folders } of root.bucket.pages(prefix, { isGrouped: true }))
      names.push(...folders.map((each) => each.slice(prefix.length, -1)))
    return names
  }

  function prefixOf(owner: string, id: string): string {
    return `${root.prefix}${TRASH}/${owner}/${id}/`
  }

  return {
    async putAtOnce(owner, path, deleted, work = {}) {
      const source = await requireMovable(root, path)
      return (await isSmall(root, source)) ? await putFound(owner, path, deleted, source, work) : undefined
    },

    put: async (owner, path, deleted, work = {}, run) =>
      await putFound(owner, path, deleted, await requireMovable(root, path), work, run),

    async list(owner, ids) {
      const wanted = ids?.filter((id) => [owner, id].every((name) => NAME.test(name)))
      const entries = await mapParallel(wanted ?? (await idsOf(owner)), async (id) => await readRecord(owner, id))
      return entries.filter((entry) => entry !== undefined).toSorted((one, other) => other.deleted - one.deleted)
    },

    async restoreAtOnce(owner, id, to, _folderMode, work = {}) {
      const source = await contentOf(owner, id)
      if (source !== undefined && !(await isSmall(root, source))) return false
      await restoreFound(owner, id, to, source, work)
      return true
    },

    restore: async (owner, id, to, { earlier }, work = {}) =>
      await restoreFound(owner, id, to, await contentOf(owner, id), work, earlier),

    async remove(owner, id, work = {}) {
      await requireKnown(owner, id)
      await removeForGood(owner, id, work)
    },

    async sweep(before, signal) {
      let swept = 0
      for (const owner of await namesIn(''))
        for (const id of await idsOf(owner)) {
          const [, seconds] = ID.exec(id) ?? []
          if (seconds === undefined || Number.parseInt(seconds, 36) * 1000 >= before) continue
          await removeForGood(owner, id, { signal })
          swept += 1
        }
      return swept
    },
  }
}

function failUnknown(): never {
  return fail('NOT_FOUND', 'nothing in the trash has this id')
}
