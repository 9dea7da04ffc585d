import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { fail, throwIfCancelled } from '../../domain/errors.ts'
import { parseJson } from '../../domain/schema/parse-value.ts'
import type { TrashedEntry } from '../../domain/files/trash.ts'
import { parseVirtualPath, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { systemRandom } from '../../platform/security/random.ts'
import { TRASH, TRASH_CONTENT } from '../reserved-names.ts'
import type { Acceptance, TransferMode, Trash, TrashRun, Work } from '../storage.ts'
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
export class BucketTrash implements Trash {
  readonly #root: BucketRoot

  constructor(root: BucketRoot) {
    this.#root = root
  }

  async putAtOnce(
    owner: string,
    path: VirtualPath,
    deleted: number,
    work: Acceptance = {},
  ): Promise<TrashedEntry | undefined> {
    const source = await requireMovable(this.#root, path)
    return (await isSmall(this.#root, source)) ? await this.#put(owner, path, deleted, source, work) : undefined
  }

  async put(owner: string, path: VirtualPath, deleted: number, work: Work = {}, run?: TrashRun): Promise<TrashedEntry> {
    return await this.#put(owner, path, deleted, await requireMovable(this.#root, path), work, run)
  }

  async list(owner: string): Promise<TrashedEntry[]> {
    const entries = await mapParallel(await this.#idsOf(owner), async (id) => await this.#record(owner, id))
    return entries.filter((entry) => entry !== undefined).toSorted((one, other) => other.deleted - one.deleted)
  }

  async restoreAtOnce(
    owner: string,
    id: string,
    to: VirtualPath,
    _folderMode: number,
    work: Acceptance = {},
  ): Promise<boolean> {
    const source = await this.#contentOf(owner, id)
    if (source !== undefined && !(await isSmall(this.#root, source))) return false
    await this.#restore(owner, id, to, source, work)
    return true
  }

  async restore(
    owner: string,
    id: string,
    to: VirtualPath,
    { earlier }: Pick<TransferMode, 'earlier'>,
    work: Work = {},
  ): Promise<void> {
    await this.#restore(owner, id, to, await this.#contentOf(owner, id), work, earlier)
  }

  async remove(owner: string, id: string, work: Work = {}): Promise<void> {
    await this.#require(owner, id)
    await this.#removeForGood(owner, id, work)
  }

  async sweep(before: number, signal?: AbortSignal): Promise<number> {
    let swept = 0
    for (const owner of await this.#namesIn(''))
      for (const id of await this.#idsOf(owner)) {
        const [, seconds] = ID.exec(id) ?? []
        if (seconds === undefined || Number.parseInt(seconds, 36) * 1000 >= before) continue
        await this.#removeForGood(owner, id, { signal })
        swept += 1
      }
    return swept
  }

  async #restore(
    owner: string,
    id: string,
    to: VirtualPath,
    source: Found | undefined,
    work: Work,
    earlier?: TransferMode['earlier'],
  ): Promise<void> {
    if (source !== undefined) {
      const target = targetAt(this.#root, to, { replace: false, earlier }, work)
      await moveTo(this.#root, source, target, work)
    }
    // Something may have stayed, which would be in no list without its record.
    if ((await lookUp(this.#root, this.#prefixOf(owner, id) + TRASH_CONTENT)) === undefined)
      await this.#forget(owner, id)
    // Another request has just restored it, to another place.
    if (source === undefined && earlier === undefined) failUnknown()
  }

  async #put(
    owner: string,
    path: VirtualPath,
    deleted: number,
    source: Found,
    work: Work,
    run?: TrashRun,
  ): Promise<TrashedEntry> {
    // What is in the trash is deleted some day.
    await requireAllShown(this.#root, source, work.signal)
    const isDir = source.kind === 'folder'
    const size = isDir ? 0 : source.object.size
    const entry = { id: newId(deleted, run?.id), path, isDir, size, deleted }
    const prefix = this.#prefixOf(owner, entry.id)
    const record = JSON.stringify({ path, isDir, size, deleted } satisfies TrashRecord)
    const putRecord = async () => {
      const headers = { ContentType: 'application/json' }
      await this.#root.bucket.put(prefix + RECORD, Buffer.from(record), { headers, modified: undefined })
    }
    const target: Target = {
      key: prefix + TRASH_CONTENT,
      replace: false,
      earlier: run?.earlier,
      prepare: async () => undefined,
      // The user may have emptied the trash while this entry was still arriving.
      recheck: async () => {
        if ((await this.#root.bucket.head(prefix + RECORD)) === undefined) await putRecord()
      },
    }
    // The record first, because content without a record would not be listed.
    await putRecord()
    try {
      await moveTo(this.#root, source, target, work)
    } catch (error) {
      if ((await lookUp(this.#root, target.key)) === undefined) await this.#forget(owner, entry.id)
      throw error
    }
    await keepFolderAbove(this.#root, path)
    return entry
  }

  /** Removes the record last: if this is interrupted, the entry is still listed. */
  async #removeForGood(owner: string, id: string, work: Work): Promise<void> {
    const content = this.#prefixOf(owner, id) + TRASH_CONTENT
    throwIfCancelled(work.signal)
    const found = await lookUp(this.#root, content)
    if (found !== undefined) await removeFound(this.#root, found, work)
    throwIfCancelled(work.signal)
    await this.#forget(owner, id)
  }

  async #forget(owner: string, id: string): Promise<void> {
    await this.#root.bucket.remove([this.#prefixOf(owner, id) + RECORD])
  }

  /** @throws NOT_FOUND for an unknown id */
  async #contentOf(owner: string, id: string): Promise<Found | undefined> {
    await this.#require(owner, id)
    return await lookUp(this.#root, this.#prefixOf(owner, id) + TRASH_CONTENT)
  }

  /** @throws NOT_FOUND */
  async #require(owner: string, id: string): Promise<void> {
    const isKnown = [owner, id].every((name) => NAME.test(name))
    if (!isKnown || (await this.#root.bucket.head(this.#prefixOf(owner, id) + RECORD)) === undefined) failUnknown()
  }

  /** Undefined if there is no valid record. */
  async #record(owner: string, id: string): Promise<TrashedEntry | undefined> {
    const found = await this.#root.bucket.get(this.#prefixOf(owner, id) + RECORD)
    const record = found && parseJson((await wholeOf(found.body)).toString())
    if (!Value.Check(TrashRecord, record)) return undefined
    return { id, ...record, path: parseVirtualPath(record.path) }
  }

  async #idsOf(owner: string): Promise<string[]> {
    if (!NAME.test(owner)) return []
    return (await this.#namesIn(`${owner}/`)).filter((id) => NAME.test(id))
  }

  async #namesIn(folder: string): Promise<string[]> {
    const prefix = `${this.#root.prefix}${TRASH}/${folder}`
    const names: string[] = []
    for await (const { folders } of this.#root.bucket.pages(prefix, { isGrouped: true }))
      names.push(...folders.map((each) => each.slice(prefix.length, -1)))
    return names
  }

  #prefixOf(owner: string, id: string): string {
    return `${this.#root.prefix}${TRASH}/${owner}/${id}/`
  }
}

function failUnknown(): never {
  return fail('NOT_FOUND', 'nothing in the trash has this id')
}
