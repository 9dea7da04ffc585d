import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LocalStorageOptions } from '../../../src/storage/local/local-storage.ts'
import type { VirtualPath } from '../../../src/domain/files/virtual-path.ts'
import { type Scope, storagePathOf, type Work } from '../../../src/storage/storage.ts'
import { folderOnOtherDisk } from '../../helpers/disks/other-disk.ts'
import { LocalWorld } from './local-world.ts'

/** A scope with a folder of another disk in it, `/disk`, and a tree of three files, `/from`. */
export class TwoDisks implements AsyncDisposable {
  readonly #world: LocalWorld
  readonly #other: ReturnType<typeof folderOnOtherDisk>
  readonly leftOut: string[] = []

  private constructor(world: LocalWorld, other: ReturnType<typeof folderOnOtherDisk>) {
    this.#world = world
    this.#other = other
  }

  static async open(options: LocalStorageOptions = {}): Promise<TwoDisks> {
    const disks = new TwoDisks(await LocalWorld.open('follow', options), folderOnOtherDisk())
    symlinkSync(disks.#other.path, disks.at('disk'))
    mkdirSync(disks.at('from/sub'), { recursive: true })
    for (const name of ['a', 'b', 'sub/c']) writeFileSync(disks.at(`from/${name}`), 'old')
    return disks
  }

  get scope() {
    return this.#world.scope
  }

  /** Another scope, in one of the folders. */
  async scopeIn(folder: VirtualPath): Promise<Scope> {
    return await this.#world.storage.openScope(storagePathOf(folder), 'follow')
  }

  at(name: string): string {
    return join(this.#world.root, name)
  }

  files(folder: string): string[] {
    return readdirSync(this.at(folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.at(folder).length + 1))
      .toSorted()
  }

  /** Calls `act` when this many files have been copied. */
  when(count: number, act: () => void): Work {
    let copied = 0
    return {
      leftOut: (name) => this.leftOut.push(name),
      advance: (_, files) => {
        copied += files
        if (files > 0 && copied === count) act()
      },
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#world[Symbol.asyncDispose]()
    this.#other[Symbol.dispose]()
  }
}
