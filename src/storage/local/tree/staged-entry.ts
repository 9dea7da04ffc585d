import type { Ground } from '../ground.ts'
import { stagedName } from '../own-names.ts'
import { at, type Pin } from '../pin.ts'
import { statsOrNothing } from '../entry-stats.ts'
import { syncFolder } from '../staged-file.ts'
import type { Location } from './location.ts'
import { placeFile, placeFolder, placeOver } from './place-entry.ts'
import { removeTree } from './remove-tree.ts'

/** A name that nobody sees, beside the target, for a file or a whole tree. Disposing removes what is still there. */
export class StagedEntry implements AsyncDisposable, Location {
  readonly folder: Pin
  readonly name = stagedName()
  readonly #note: Disposable | undefined

  constructor({ journal }: Pick<Ground, 'journal'>, folder: Pin) {
    this.folder = folder
    this.#note = journal?.note(folder, this.name)
  }

  async place(target: Location, how: { readonly isFolder: boolean; readonly replace: boolean }): Promise<void> {
    if (how.isFolder) await placeFolder(this, target)
    else await (how.replace ? placeOver : placeFile)(this, target)
    await syncFolder(this.folder)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if ((await statsOrNothing(at(this.folder, this.name))) !== undefined) await removeTree(this)
    this.#note?.[Symbol.dispose]()
  }
}
