import { constants } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { ROOT, type VirtualPath } from '../../../domain/virtual-path.ts'
import { systemRandom } from '../../../platform/random.ts'
import type { Trash, TrashedEntry, Work } from '../../storage.ts'
import { statsOrNothing } from '../entry-stats.ts'
import { errorWord } from '../os-error.ts'
import { TRASH } from '../own-names.ts'
import { at, hold, HOLD_FOLDER, type Name, type Pin } from '../pin.ts'
import { Place, requireNoWayOut } from '../resolve.ts'
import { DESCRIPTORS_OF_A_TREE, type OperationRunner } from '../run-operation.ts'
import { makeable, reachable } from '../scope-names.ts'
import { childrenOf } from './children.ts'
import { holdOriginal } from './copy-entry.ts'
import type { Location } from './location.ts'
import { moveTree, renameEntry, sourceAt, targetAt, type FindTarget } from './move-tree.ts'
import { removeTree } from './remove-tree.ts'
import { readRecord, writeRecord } from './trash-record.ts'

/** The name under which a thing lies in the folder of its own. */
const CONTENT = 'content'
const NAME = /^[\w-]{1,64}$/

/** In the folder of the scope, so that a rename puts things there: `.filemgr-trash/<owner>/<id>/content`, with a record beside. */
export class LocalTrash implements Trash {
  readonly #runner: OperationRunner

  constructor(runner: OperationRunner) {
    this.#runner = runner
  }

  async put(owner: string, path: VirtualPath, deleted: number, work: Work = {}): Promise<TrashedEntry> {
    return await this.#run(path, async () => {
      using source = await sourceAt(this.#runner.ground, reachable(path))
      await requireNoWayOut(this.#runner.ground, source.folder, source.name)
      const entry = { id: systemRandom.token(12), path, ...(await kindOf(source)), deleted }
      using place = await this.#make(owner, entry.id)
      try {
        await writeRecord(place, entry)
        await this.#move(source, async () => new Place(place.retain(), CONTENT), 0o700, work)
      } catch (error) {
        await this.#discard(owner, entry.id)
        throw error
      }
      return entry
    })
  }

  async list(owner: string): Promise<TrashedEntry[]> {
    return await this.#run(ROOT, async () => {
      using folder = await this.#find(owner)
      const found = folder === undefined ? [] : await entriesIn(folder)
      return found.toSorted((one, other) => other.deleted - one.deleted)
    })
  }

  async restore(owner: string, id: string, to: VirtualPath, folderMode: number, work: Work = {}): Promise<void> {
    await this.#run(to, async () => {
      {
        using place = await this.#find(owner, id)
        if (place === undefined) fail('NOT_FOUND', 'nothing in the trash has this id')
        const target = targetAt(this.#runner.ground, makeable(to), { replace: false, folderMode })
        await this.#move({ folder: place, name: CONTENT }, target, folderMode, work)
      }
      await this.#discard(owner, id)
    })
  }

  async remove(owner: string, id: string, work: Work = {}): Promise<void> {
    await this.#run(ROOT, async () => {
      using folder = await this.#find(owner)
      using place = await this.#find(owner, id)
      if (folder === undefined || place === undefined) fail('NOT_FOUND', 'nothing in the trash has this id')
      await removeTree({ folder, name: id }, work)
    })
  }

  async sweep(before: number, signal?: AbortSignal): Promise<number> {
    return await this.#run(ROOT, async () => {
      using trash = await this.#find()
      let swept = 0
      for (const owner of trash === undefined ? [] : await childrenOf(trash)) {
        using folder = await this.#find(owner.toString())
        for (const entry of folder === undefined ? [] : await entriesIn(folder)) {
          if (folder === undefined || entry.deleted >= before) continue
          await removeTree({ folder, name: entry.id }, { signal })
          swept += 1
        }
      }
      return swept
    })
  }

  /** The folder of these names in the trash, if it is there. The names are no links: they are our own, or somebody swapped them. */
  async #find(...names: string[]): Promise<Pin | undefined> {
    if (!names.every((name) => NAME.test(name))) return undefined
    let here = this.#runner.ground.root.retain()
    for (const name of [TRASH, ...names]) {
      using parent = here
      try {
        here = await hold(at(parent, name), HOLD_FOLDER | constants.O_NOFOLLOW)
      } catch (error) {
        if (errorWord(error) === 'ENOENT' || errorWord(error) === 'ENOTDIR') return undefined
        throw error
      }
    }
    return here
  }

  async #make(...names: [owner: string, id: string]): Promise<Pin> {
    let here = this.#runner.ground.root.retain()
    for (const name of [TRASH, ...names]) {
      using parent = here
      await mkdir(at(parent, name), 0o700).catch((error: unknown) => {
        if (errorWord(error) !== 'EEXIST') throw error
      })
      here = await hold(at(parent, name), HOLD_FOLDER | constants.O_NOFOLLOW)
    }
    return here
  }

  async #discard(owner: string, id: string): Promise<void> {
    using folder = await this.#find(owner)
    if (folder !== undefined) await removeTree({ folder, name: id })
  }

  async #move(from: Location, target: FindTarget, folderMode: number, work: Work): Promise<void> {
    const mode = { replace: false, folderMode }
    if (await renameEntry(this.#runner.ground, from, target, mode)) return
    await moveTree(this.#runner.ground, from, target, mode, work)
  }

  async #run<T>(path: VirtualPath, work: () => Promise<T>): Promise<T> {
    return await this.#runner.run(path, work, DESCRIPTORS_OF_A_TREE)
  }
}

async function kindOf(location: Location): Promise<{ isDir: boolean; size: number }> {
  using original = await holdOriginal(location)
  const isDir = original.stats.isDirectory()
  return { isDir, size: isDir ? 0 : Number(original.stats.size) }
}

/** Without what is just being moved here, or was when the power failed. */
async function entriesIn(folder: Pin): Promise<TrashedEntry[]> {
  const found: TrashedEntry[] = []
  for (const name of await childrenOf(folder)) {
    const entry = await entryAt(folder, name)
    if (entry !== undefined) found.push(entry)
  }
  return found
}

/** What another program put there, and what goes while it is looked at, keeps nobody from the rest. */
const NO_ENTRY = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP'])

async function entryAt(folder: Pin, name: Name): Promise<TrashedEntry | undefined> {
  try {
    using place = await hold(at(folder, name), HOLD_FOLDER | constants.O_NOFOLLOW)
    const entry = await readRecord(place, name.toString())
    const content = await statsOrNothing(at(place, CONTENT))
    return content && entry
  } catch (error) {
    if (NO_ENTRY.has(errorWord(error) ?? '') || isFilemgrError(error, 'INVALID_INPUT')) return undefined
    throw error
  }
}
