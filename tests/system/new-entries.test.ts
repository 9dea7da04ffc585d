import { chmodSync, chownSync, lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { getAttributeSync, listAttributesSync, setAttributeSync } from '@napi-rs/xattr'
import { describe, expect, it } from 'vitest'
import type { TransferMode, Scope, WriteMode } from '../../src/storage/storage.ts'
import { ACCESS, DEFAULT, READERS } from '../contract/storage/access-lists.ts'
import { LocalWorld } from '../contract/storage/local-world.ts'
import { path, put } from '../contract/storage/view.ts'
import { needsRoot } from '../helpers/needs.ts'

needsRoot()

const NEW: WriteMode & TransferMode = { replace: false, fileMode: 0o640, folderMode: 0o750 }
const TEAM: WriteMode & TransferMode = { replace: false, fileMode: 0o664, folderMode: 0o2775 }
/** Any that this process is not in. */
const GROUP = 60

const modeOf = (world: LocalWorld, name: string) => (lstatSync(join(world.root, name)).mode & 0o7777).toString(8)

/** Every way in which something gets into the folder "in". */
const FILES: Readonly<Record<string, (scope: Scope, mode: typeof NEW) => Promise<unknown>>> = {
  written: async (scope, mode) => await put(scope, '/in/written', 'x', mode),
  uploaded: async ({ staging }, mode) => {
    const [target, name] = [path('/in/uploaded'), staging.newName()]
    await staging.create(target, name, { ...mode, length: 1 })
    await staging.append(target, name, Readable.from(['x']), {
      offset: 0,
      length: 1,
      signal: new AbortController().signal,
    })
    await staging.commit(target, name, { ...mode, length: 1 })
  },
  copied: async (scope, mode) => await scope.copy(path('/original'), path('/in/copied'), mode),
  large: async (scope, mode) => await scope.copy(path('/large'), path('/in/large'), mode),
  'tree/sub/copied': async (scope, mode) => await scope.copy(path('/from'), path('/in/tree'), mode),
  'deep/er/written': async (scope, mode) => await put(scope, '/in/deep/er/written', 'x', mode),
  'out/made': async (scope, mode) => {
    await using staged = await scope.stageFolder(path('/in'), {})
    await staged.makeFolder(path('/out'), mode.folderMode)
    await staged.write(path('/out/made'), Readable.from(['x']), mode)
    await staged.place([{ from: 'out', to: 'out' }], mode)
  },
}
const FOLDERS = ['made', 'tree', 'tree/sub', 'deep', 'deep/er', 'out']

async function fill(prepare: (folder: string) => void, mode: typeof NEW): Promise<LocalWorld> {
  const world = await LocalWorld.open('inside', {}, (root) => {
    mkdirSync(join(root, 'in'))
    mkdirSync(join(root, 'from/sub'), { recursive: true })
    for (const name of ['original', 'from/sub/copied']) writeFileSync(join(root, name), 'x')
    writeFileSync(join(root, 'large'), Buffer.alloc(5_000_000, 'x'))
    // Copies have the permissions of these.
    for (const name of ['original', 'from/sub/copied', 'large']) chmodSync(join(root, name), mode.fileMode)
    for (const name of ['from', 'from/sub']) chmodSync(join(root, name), mode.folderMode & 0o777)
    prepare(join(root, 'in'))
  })
  await world.scope.makeFolder(path('/in/made'), mode.folderMode)
  for (const make of Object.values(FILES)) await make(world.scope, mode)
  return world
}

describe('whatever gets into a folder', () => {
  it.each([
    [NEW, 0o077, '640', '750'],
    [NEW, 0o022, '640', '750'],
    [TEAM, 0o022, '664', '2775'],
    [{ ...TEAM, folderMode: 0o3770 }, 0o077, '664', '3770'],
  ])('has the mode of the settings, whatever the umask (%#)', async (mode, mask, file, folder) => {
    const before = process.umask(mask)
    await using world = await fill(() => undefined, mode).finally(() => process.umask(before))
    for (const name of Object.keys(FILES)) expect([name, modeOf(world, `in/${name}`)]).toEqual([name, file])
    for (const name of FOLDERS) expect([name, modeOf(world, `in/${name}`)]).toEqual([name, folder])
  })

  it('has the group of a folder with the setgid bit, which new folders inherit', async () => {
    await using world = await fill((folder) => {
      chownSync(folder, 0, GROUP)
      chmodSync(folder, 0o2770)
    }, NEW)
    for (const name of [...Object.keys(FILES), ...FOLDERS])
      expect([name, statSync(join(world.root, 'in', name)).gid]).toEqual([name, GROUP])
    for (const name of FOLDERS) expect([name, modeOf(world, `in/${name}`)]).toEqual([name, '2750'])
    for (const name of Object.keys(FILES)) expect([name, modeOf(world, `in/${name}`)]).toEqual([name, '640'])
  })

  it('belongs to the owner of the folder if this process is root', async () => {
    await using world = await fill((folder) => chownSync(folder, 1234, 1235), NEW)
    for (const name of [...Object.keys(FILES), ...FOLDERS]) {
      const { uid, gid } = statSync(join(world.root, 'in', name))
      expect([name, uid, gid]).toEqual([name, 1234, 1235])
    }
  })

  it('gets the default access list of the folder, which the mode does not widen', async () => {
    const before = process.umask(0o077)
    await using world = await fill((folder) => setAttributeSync(folder, DEFAULT, READERS), {
      ...TEAM,
      folderMode: 0o2777,
    }).finally(() => process.umask(before))
    for (const name of Object.keys(FILES)) {
      expect([name, getAttributeSync(join(world.root, 'in', name), ACCESS)]).toEqual([name, READERS])
      expect([name, modeOf(world, `in/${name}`)]).toEqual([name, '640'])
    }
    for (const name of FOLDERS) {
      expect([name, getAttributeSync(join(world.root, 'in', name), DEFAULT)]).toEqual([name, READERS])
      expect([name, modeOf(world, `in/${name}`)]).toEqual([name, '2640'])
    }
  })
})

describe('what is unpacked over folders that exist', () => {
  it('gets the group and the access list of its place, or those of what it replaces', async () => {
    await using world = await LocalWorld.open()
    for (const name of ['team', 'team/listed']) mkdirSync(join(world.root, name))
    chownSync(join(world.root, 'team'), 0, GROUP)
    chmodSync(join(world.root, 'team'), 0o2770)
    setAttributeSync(join(world.root, 'team/listed'), DEFAULT, READERS)
    for (const name of ['tool', 'team/tool']) {
      writeFileSync(join(world.root, name), 'old')
      chownSync(join(world.root, name), 1234, 1235)
      chmodSync(join(world.root, name), 0o750)
    }
    {
      await using staged = await world.scope.stageFolder(path('/'), {})
      for (const name of [
        'tool',
        'team/tool',
        'team/new',
        'team/deep/er/new',
        'team/listed/new',
        'team/listed/deep/new',
      ])
        await staged.write(path(`/${name}`), Readable.from(['new']), NEW)
      const items = ['tool', 'team'].map((name) => ({ from: name, to: name }))
      await staged.place(items, { replace: true })
    }
    for (const name of ['tool', 'team/tool']) {
      const { uid, gid, size } = statSync(join(world.root, name))
      expect([name, uid, gid, size, modeOf(world, name)]).toEqual([name, 1234, 1235, 3, '750'])
    }
    for (const name of ['team/new', 'team/deep', 'team/deep/er', 'team/deep/er/new'])
      expect([name, statSync(join(world.root, name)).gid]).toEqual([name, GROUP])
    for (const name of ['team/deep', 'team/deep/er']) expect([name, modeOf(world, name)]).toEqual([name, '2750'])
    for (const name of ['team/listed/new', 'team/listed/deep/new'])
      expect([name, getAttributeSync(join(world.root, name), ACCESS)]).toEqual([name, READERS])
    expect(getAttributeSync(join(world.root, 'team/listed/deep'), DEFAULT)).toEqual(READERS)
  })
})

describe('a copy', () => {
  it('has the permissions of its original, whatever the umask, but not its setuid bit', async () => {
    const before = process.umask(0o077)
    await using world = await LocalWorld.open().finally(() => process.umask(before))
    const modes = { 'for-all': 0o755, 'for-owner': 0o700, setuid: 0o6755, private: 0o600, 'read-only': 0o444 }
    for (const [name, mode] of Object.entries(modes)) {
      writeFileSync(join(world.root, name), 'x')
      chmodSync(join(world.root, name), mode)
      await world.scope.copy(path(`/${name}`), path(`/${name}-copy`), TEAM)
    }
    expect(Object.keys(modes).map((name) => modeOf(world, `${name}-copy`))).toEqual(['755', '700', '755', '600', '444'])
  })

  it('of a folder that its owner may not change is complete, and has its permissions', async () => {
    await using world = await LocalWorld.open()
    mkdirSync(join(world.root, 'from/closed'), { recursive: true })
    writeFileSync(join(world.root, 'from/closed/a'), 'x')
    chmodSync(join(world.root, 'from/closed'), 0o555)
    await world.scope.copy(path('/from'), path('/to'), TEAM)
    expect([modeOf(world, 'to/closed'), lstatSync(join(world.root, 'to/closed/a')).size]).toEqual(['2555', 1])
  })

  it('that replaces a file keeps its owner, mode and access list, as a save does', async () => {
    await using world = await LocalWorld.open()
    for (const name of ['file', 'old']) writeFileSync(join(world.root, name), name)
    chownSync(join(world.root, 'old'), 1234, 1235)
    setAttributeSync(join(world.root, 'old'), ACCESS, READERS)
    setAttributeSync(join(world.root, 'file'), 'user.tag', Buffer.from('x'))
    await world.scope.copy(path('/file'), path('/old'), { ...NEW, replace: true })
    const { uid, gid } = statSync(join(world.root, 'old'))
    expect([uid, gid, modeOf(world, 'old')]).toEqual([1234, 1235, '640'])
    expect(listAttributesSync(join(world.root, 'old')).toSorted()).toEqual([ACCESS, 'user.tag'])
  })

  it('has the access list of its folder instead of that of its original', async () => {
    await using world = await LocalWorld.open()
    mkdirSync(join(world.root, 'team'))
    setAttributeSync(join(world.root, 'team'), DEFAULT, READERS)
    writeFileSync(join(world.root, 'file'), 'x')
    const own = Buffer.from(READERS)
    own.writeUInt32LE(2000, 4 + 8 + 4)
    setAttributeSync(join(world.root, 'file'), ACCESS, own)
    setAttributeSync(join(world.root, 'file'), 'user.tag', Buffer.from('x'))
    await world.scope.copy(path('/file'), path('/team/copy'), NEW)
    expect(getAttributeSync(join(world.root, 'team/copy'), ACCESS)).toEqual(READERS)
    expect(getAttributeSync(join(world.root, 'team/copy'), 'user.tag')?.toString()).toBe('x')
  })

  it('of a link belongs to the owner of the folder', async () => {
    await using world = await LocalWorld.open()
    for (const name of ['from', 'home']) mkdirSync(join(world.root, name))
    symlinkSync('nowhere', join(world.root, 'from/link'))
    chownSync(join(world.root, 'home'), 1234, 1235)
    await world.scope.copy(path('/from'), path('/home/copy'), NEW)
    expect(lstatSync(join(world.root, 'home/copy/link')).uid).toBe(1234)
  })
})
