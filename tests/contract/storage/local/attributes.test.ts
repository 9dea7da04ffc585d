import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { getAttributeSync, listAttributesSync, setAttributeSync } from '@napi-rs/xattr'
import { expect, it } from 'vitest'
import { ACCESS, DEFAULT, READERS } from '../access-lists.ts'
import { LocalWorld } from '../local-world.ts'
import { NEW, path, put, REPLACE } from '../view.ts'

/** Fails on a disk without attributes, on which the tests would prove nothing. */
function setAttributeOrFail(file: string, name: string, value: Buffer | string): void {
  try {
    setAttributeSync(file, name, value)
  } catch (error) {
    throw new Error(`no ${name} here: set TMPDIR to a folder on ext4, xfs or btrfs`, { cause: error })
  }
}

async function upload({ scope }: LocalWorld, target: string): Promise<void> {
  const [name, mode] = [scope.staging.newName(), { ...REPLACE, length: 3 }]
  await scope.staging.create(path(target), name, mode)
  await scope.staging.append(path(target), name, Readable.from([Buffer.from('new')]), { offset: 0, length: 3 })
  await scope.staging.commit(path(target), name, mode)
}

const save = async ({ scope }: LocalWorld, target: string) => await put(scope, target, 'new', REPLACE)

async function copy({ scope }: LocalWorld, target: string): Promise<void> {
  await put(scope, '/new', 'new')
  await scope.copy(path('/new'), path(target), REPLACE)
}

async function place({ scope }: LocalWorld, target: string): Promise<void> {
  await using staged = await scope.stageFolder(path('/'), {}, {})
  await staged.write(path(target), Readable.from(['new']), NEW)
  await staged.place([{ from: target.slice(1), to: target.slice(1) }], { replace: true })
}

it.each([save, upload, copy, place])(
  'a file keeps its attributes and its access list when it is replaced',
  async (replace) => {
    await using world = await LocalWorld.open()
    const file = join(world.root, 'a.txt')
    writeFileSync(file, 'old')
    setAttributeOrFail(file, 'user.tags', 'blue')
    setAttributeOrFail(file, ACCESS, READERS)
    const { mode, ino } = statSync(file)
    await replace(world, '/a.txt')
    expect(statSync(file).ino).not.toBe(ino)
    expect(getAttributeSync(file, 'user.tags')?.toString()).toBe('blue')
    expect(getAttributeSync(file, ACCESS)).toEqual(READERS)
    expect(statSync(file).mode).toBe(mode)
  },
)

it('a file without an access list gets none from its folder when it is replaced', async () => {
  await using world = await LocalWorld.open()
  writeFileSync(join(world.root, 'a.txt'), 'old')
  setAttributeOrFail(world.root, DEFAULT, READERS)
  await save(world, '/a.txt')
  expect(listAttributesSync(join(world.root, 'a.txt'))).toEqual([])
  await save(world, '/b.txt')
  expect(listAttributesSync(join(world.root, 'b.txt'))).toEqual([ACCESS])
})
