import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { parseVirtualPath as path } from '../../src/domain/files/virtual-path.ts'
import { openLocalStorage } from '../../src/storage/local/local-storage.ts'
import { type Scope, storagePathOf, type TransferMode } from '../../src/storage/storage.ts'
import { codeOf } from '../contract/storage/view.ts'
import { folderOnOtherDisk } from '../helpers/disks/other-disk.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { clusterOfFile } from './opened.ts'

const { created, node } = clusterOfFile()

const FREE: TransferMode = { replace: false, folderMode: 0o750 }

it('while one daemon moves a folder to another disk, the others take nothing out of it', async () => {
  await using held = new AsyncDisposableStack()
  const url = await created()
  const files = held.use(await tempFolder())
  const disk = held.use(folderOnOtherDisk())
  symlinkSync(disk.path, files.at('disk'))
  mkdirSync(files.at('from/sub'), { recursive: true })
  for (const name of ['a', 'b', 'sub/c']) writeFileSync(files.at(`from/${name}`), name)
  const scopeOfDaemon = async (): Promise<Scope> => {
    const { shared } = await node(url)
    const storage = held.use(await openLocalStorage(files.path, { locks: shared?.nameLocks }))
    return held.use(await storage.openScope(storagePathOf(path('/')), 'follow'))
  }
  const [one, other] = [await scopeOfDaemon(), await scopeOfDaemon()]
  const codes: string[] = []
  const placing = async () => {
    codes.push(await codeOf(other.rename(path('/from/a'), path('/a'), FREE)))
    codes.push(await codeOf(other.rename(path('/from'), path('/to'), FREE)))
    codes.push(await codeOf(other.remove(path('/from/sub'))))
    codes.push(await codeOf(other.trash.putAtOnce('1', path('/from/b'), 0)))
    codes.push(await codeOf(other.move(path('/from/sub'), path('/disk/sub'), FREE)))
  }
  await one.move(path('/from'), path('/disk/to'), FREE, { placing })
  expect(codes).toEqual(codes.map(() => 'CONFLICT'))
  expect(readdirSync(disk.path, { recursive: true }).toSorted()).toEqual(['to', 'to/a', 'to/b', 'to/sub', 'to/sub/c'])
  expect(readdirSync(files.path).filter((name) => !name.startsWith('.'))).toEqual(['disk'])
  await vi.waitFor(async () => await other.rename(path('/disk/to/a'), path('/disk/to/z'), FREE), { timeout: 300_000 })
})
