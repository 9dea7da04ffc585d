import { STOPPING } from '../../../platform/job-queue.ts'
import type { Work } from '../../storage.ts'
import type { ScopeRoot } from '../scope-root.ts'
import { at, type Handle } from '../handle.ts'
import type { StagedNames } from '../staged-names.ts'
import { statsOrNothing } from '../entry-stats.ts'
import type { Location } from './location.ts'
import { placeFile, placeFolder, placeOver } from './place-entry.ts'
import { removeTree } from './remove-tree.ts'

/** A name that nobody sees, beside the target, for a file or a whole tree. Disposing removes what is still there. */
export class StagedEntry implements AsyncDisposable, Location {
  readonly folder: Handle
  readonly name: string
  readonly #names: StagedNames
  readonly #signal: AbortSignal | undefined

  constructor({ staged }: Pick<ScopeRoot, 'staged'>, folder: Handle, { signal }: Work) {
    this.folder = folder
    this.#signal = signal
    this.#names = staged
    this.name = staged.next()
  }

  async place(target: Location, how: { readonly isFolder: boolean; readonly replace: boolean }): Promise<void> {
    if (how.isFolder) await placeFolder(this, target)
    else await (how.replace ? placeOver : placeFile)(this, target)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Left to the next run: a large half would keep this one from its end for minutes.
    const isLeft = this.#signal?.reason === STOPPING && this.#names.stager !== undefined
    try {
      if ((await statsOrNothing(at(this.folder, this.name))) === undefined) return
      if (isLeft) this.#names.leaveBehind()
      else await removeTree(this)
    } catch (error) {
      this.#names.leaveBehind()
      throw error
    }
  }
}
