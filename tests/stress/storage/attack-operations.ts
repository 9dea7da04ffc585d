import { createHash } from 'node:crypto'
import type { Scope, TransferMode } from '../../../src/storage/storage.ts'
import { content, found, list, namesIn, NEW, path, put, REPLACE, viewOf, walked } from '../../contract/storage/view.ts'
import { INSIDE, SECRET, SECRET_NAME } from './attack-world.ts'

export interface Attacked {
  readonly name: string
  /** Answers with something from outside only if it got there. Changes outside show on the disk. */
  readonly run: (scope: Scope, turn: number) => Promise<unknown>
  readonly isSecret?: (answer: unknown) => boolean
  /** The folder in which `swap` and `other` are exchanged. */
  readonly folder?: string
}

const SECRET_DIGEST = createHash('md5').update(SECRET).digest('hex')
const FREE: TransferMode = { replace: false, folderMode: 0o750 }
const OVER: TransferMode = { ...FREE, replace: true }
const holds = (secret: string) => (answer: unknown) => JSON.stringify(answer).includes(secret)

export const ATTACKED: readonly Attacked[] = [
  {
    name: 'stat',
    run: async (scope) => (await scope.stat(path('/swap/file'), viewOf('/swap/file'))).size,
    isSecret: (size) => size === SECRET.length,
  },
  { name: 'listing', run: async (scope) => await namesIn(scope, '/swap'), isSecret: holds(SECRET_NAME) },
  {
    name: 'listing around the swap',
    run: async (scope) => (await list(scope, '/unknown')).items,
    isSecret: holds('"type":"image"'),
    folder: 'unknown',
  },
  { name: 'read', run: async (scope) => await content(scope, '/swap/sub/deep/file'), isSecret: holds(SECRET) },
  { name: 'read through a link', run: async (scope) => await content(scope, '/link/file'), isSecret: holds(SECRET) },
  { name: 'read a link', run: async (scope) => await content(scope, '/link-to-file'), isSecret: holds(SECRET) },
  {
    name: 'checksum',
    run: async (scope) => await scope.checksum(path('/swap/file'), 'md5'),
    isSecret: holds(SECRET_DIGEST),
  },
  { name: 'walk', run: async (scope) => await walked(scope, '/swap'), isSecret: holds(SECRET_NAME) },
  { name: 'walk around the swap', run: async (scope) => await walked(scope, '/'), isSecret: holds(SECRET_NAME) },
  { name: 'search', run: async (scope) => await found(scope, '/swap', ''), isSecret: holds(SECRET_NAME) },
  { name: 'search around the swap', run: async (scope) => await found(scope, '/', ''), isSecret: holds(SECRET_NAME) },
  { name: 'write a new file', run: async (scope, turn) => await put(scope, `/swap/new${turn}`, INSIDE, NEW) },
  { name: 'write over a file', run: async (scope) => await put(scope, '/swap/file', INSIDE, REPLACE) },
  { name: 'write to a link', run: async (scope) => await put(scope, '/link-to-file', INSIDE, REPLACE) },
  { name: 'write to a link to nothing', run: async (scope) => await put(scope, '/link-to-nothing', INSIDE, REPLACE) },
  {
    name: 'copy out of the swap',
    run: async (scope, turn) => {
      await scope.copy(path('/swap/sub'), path(`/copied${turn}`), FREE)
      return await content(scope, `/copied${turn}/deep/file`)
    },
    isSecret: holds(SECRET),
  },
  {
    name: 'copy the swap with its folder',
    run: async (scope, turn) => {
      await scope.copy(path('/unknown'), path(`/copied${turn}`), FREE)
      return await content(scope, `/copied${turn}/swap`)
    },
    isSecret: (text) => text !== INSIDE,
    folder: 'unknown',
  },
  {
    name: 'copy into the swap',
    run: async (scope, turn) => await scope.copy(path('/unknown'), path(`/swap/copied${turn}`), FREE),
  },
  {
    name: 'rename into the swap and back',
    run: async (scope, turn) => {
      await scope.copy(path('/link-to-file'), path(`/moved${turn}`), FREE)
      await scope.rename(path(`/moved${turn}`), path(`/swap/moved${turn}`), FREE)
      await scope.rename(path(`/swap/moved${turn}`), path(`/back${turn}`), FREE)
    },
  },
  {
    name: 'move and merge into the swap',
    run: async (scope, turn) => {
      await put(scope, `/moved${turn}/sub/new`, INSIDE)
      await scope.move(path(`/moved${turn}`), path('/swap'), OVER)
    },
  },
  {
    name: 'remove a tree in the swap',
    run: async (scope, turn) => {
      await put(scope, `/swap/tree${turn}/sub/file`, INSIDE)
      await scope.remove(path(`/swap/tree${turn}`))
    },
  },
  {
    name: 'remove a file that also exists outside',
    run: async (scope) => {
      await scope.remove(path('/swap/sub/deep/file'))
      await put(scope, '/swap/sub/deep/file', INSIDE, REPLACE)
    },
  },
  {
    name: 'trash in the swap and back',
    run: async (scope) => {
      const { id } = await scope.trash.put('1', path('/swap/sub'), 1)
      await scope.trash.restore('1', id, path('/swap/sub'), { folderMode: 0o750 })
    },
  },
  { name: 'make folders', run: async (scope, turn) => await scope.makeFolder(path(`/swap/new${turn}/newer`), 0o750) },
]
