import { afterEach, beforeEach } from 'vitest'
import { storagePathOf, type Scope, type Storage } from '../../../../src/storage/storage.ts'
import { path } from '../view.ts'

export interface TestStorage extends AsyncDisposable {
  readonly storage: Storage
  /** Names that it cannot keep, and refuses. */
  readonly refused?: RegExp
}

export interface OpenedStorage {
  readonly world: TestStorage
  /** The scope of the root. */
  readonly scope: Scope
}

/** Opens a storage of its own before each test of a suite, and closes it afterwards. */
export function openForEach(open: () => Promise<TestStorage>, use: (opened: OpenedStorage) => void): void {
  let opened: OpenedStorage

  beforeEach(async () => {
    const world = await open()
    opened = { world, scope: await world.storage.openScope(storagePathOf(path('/')), 'inside') }
    use(opened)
  })

  afterEach(async () => {
    opened.scope[Symbol.dispose]()
    await opened.world[Symbol.asyncDispose]()
  })
}
