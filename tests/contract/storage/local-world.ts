import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocalStorage, type LocalStorageOptions } from '../../../src/storage/local/local-storage.ts'
import { storagePathOf, type LinkPolicy, type Scope, type Storage } from '../../../src/storage/storage.ts'
import { path } from './view.ts'

/** A scope in a folder of this machine, with a folder beside it that nothing may reach. */
export class LocalWorld implements AsyncDisposable {
  readonly base: string
  readonly root: string
  readonly outside: string
  readonly storage: Storage
  readonly scope: Scope

  private constructor(base: string, storage: Storage, scope: Scope) {
    this.base = base
    this.root = join(base, 'root')
    this.outside = join(base, 'outside')
    this.storage = storage
    this.scope = scope
  }

  /** @param prepare fills the root before it is opened */
  static async open(
    links: LinkPolicy = 'inside',
    options: LocalStorageOptions = {},
    prepare?: (root: string) => void,
  ): Promise<LocalWorld> {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'filemgr-storage-')))
    mkdirSync(join(base, 'root'))
    mkdirSync(join(base, 'outside'))
    prepare?.(join(base, 'root'))
    const storage = await openLocalStorage(join(base, 'root'), options)
    return new LocalWorld(base, storage, await storage.openScope(storagePathOf(path('/')), links))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.scope[Symbol.dispose]()
    await this.storage[Symbol.asyncDispose]()
    rmSync(this.base, { recursive: true, force: true })
  }
}

/** How many descriptors this process has open. */
export function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length
}
