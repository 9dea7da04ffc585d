import { chmod, copyFile, lstat, readdir, readFile, stat, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createStore, openStores, storeExists } from '../../../src/store/open-stores.ts'
import { temporaryFolder } from './folder.ts'
import { addUser, sampleDocument } from './samples.ts'
import { dataFolder } from './opened.ts'

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

describe('creating a store', () => {
  it('CVE-2025-52900: lets only the owner access the folder and its files, whatever the umask', async () => {
    const folder = join(await temporaryFolder(), 'deep', 'data')
    const umask = process.umask(0)
    try {
      await createStore(folder, sampleDocument())
      await using stores = await openStores({ folder })
      await stores.store.update(addUser)
    } finally {
      process.umask(umask)
    }
    expect(await modeOf(folder)).toBe('700')
    for (const name of await readdir(folder)) expect([name, await modeOf(join(folder, name))]).toEqual([name, '600'])
  })

  it('refuses to replace an existing one', async () => {
    const { folder, path } = await dataFolder()
    const before = await readFile(path)
    await expect(createStore(folder, sampleDocument())).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await readFile(path)).toEqual(before)
  })

  it('refuses a folder with other files, such as a home, and keeps its permissions', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'letter.txt'), '')
    await chmod(folder, 0o755)
    await expect(createStore(folder, sampleDocument())).rejects.toThrow(folder)
    expect([await modeOf(folder), await readdir(folder)]).toEqual(['755', ['letter.txt']])
  })

  it('names the path when the folder is a file', async () => {
    const path = join(await temporaryFolder(), 'file')
    await writeFile(path, '')
    const refusal = { code: 'STORE_INVALID', message: expect.stringContaining(path) as string }
    await expect(createStore(join(path, 'data'), sampleDocument())).rejects.toMatchObject(refusal)
  })

  it.runIf(process.platform === 'linux')('fails at once where no folder can be created', async () => {
    const refusal = { code: 'STORE_INVALID', message: expect.stringContaining('/proc/none') as string }
    await expect(createStore('/proc/none', sampleDocument())).rejects.toMatchObject(refusal)
  })
})

describe('opening a store', () => {
  it('fails when there is none', async () => {
    const folder = await temporaryFolder()
    expect(await storeExists(folder)).toBe(false)
    await expect(openStores({ folder })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('takes the permissions of others from the folder and its files, and logs it', async () => {
    const data = await dataFolder()
    await chmod(data.folder, 0o755)
    await chmod(data.path, 0o644)
    await data.open()
    expect([await modeOf(data.folder), await modeOf(data.path), data.logged.length]).toEqual(['700', '600', 2])
  })

  it('refuses a store.json that is a symbolic link', async () => {
    const data = await dataFolder()
    await unlink(data.path)
    await symlink(`${data.path}.1`, data.path)
    await expect(data.open()).rejects.toMatchObject({ code: 'STORE_INVALID' })
  })

  it('refuses a store of a newer version, and uses no copy instead', async () => {
    const data = await dataFolder()
    await data.edit((text) => text.replace('"version": 1', '"version": 2'))
    const newer = await readFile(data.path)
    await expect(data.open()).rejects.toMatchObject({ code: 'STORE_INVALID', details: { reason: 'newer' } })
    expect(await readFile(data.path)).toEqual(newer)
  })

  it('fills in fields that were added later, and leaves server options that were never saved unsaved', async () => {
    const data = await dataFolder()
    await data.edit((text) => text.replace(/"branding": \{[^}]*\},/, '').replace(/"hideLoginButton": true,/, ''))
    const { store } = await data.open()
    const { settings, server } = store.snapshot()
    expect([settings.branding.theme, settings.hideLoginButton, server]).toEqual(['', true, {}])
  })

  it('keeps the last three states as recovery copies, the newest of which equals the store', async () => {
    const data = await dataFolder()
    const { store } = await data.open()
    for (let count = 0; count < 4; count++) await store.update(addUser)
    const users = async (copy: string) =>
      (JSON.parse(await readFile(copy, 'utf8')) as ReturnType<typeof sampleDocument>).users.length
    expect(await Promise.all(['', '.1', '.2', '.3'].map(async (copy) => await users(`${data.path}${copy}`)))).toEqual([
      5, 5, 4, 3,
    ])
  })

  it('uses the newest recovery copy for a damaged file, keeps the damaged one, and logs both', async () => {
    const data = await dataFolder()
    await copyFile(data.path, `${data.path}.2`)
    await writeFile(`${data.path}.1`, '')
    await writeFile(data.path, '{"version": 1, "us')
    const { store } = await data.open({ clock: { now: () => 0 } })
    expect(store.snapshot().users).toHaveLength(1)
    const kept = 'store.json.corrupt-1970-01-01T00-00-00-000Z'
    expect(await readFile(join(data.folder, kept), 'utf8')).toBe('{"version": 1, "us')
    expect(data.logged[0]).toContain(kept)
    expect(data.logged[0]).toContain('store.json.2')
  })

  it('refuses a damaged file while a daemon runs, as somebody may be editing it', async () => {
    const data = await dataFolder()
    await data.open({ daemon: true })
    await writeFile(data.path, '{')
    await expect(data.open()).rejects.toMatchObject({ code: 'STORE_INVALID' })
    expect(await readFile(data.path, 'utf8')).toBe('{')
  })

  it('leaves the temporary file of a running daemon alone', async () => {
    const data = await dataFolder()
    await data.open({ daemon: true })
    await writeFile(`${data.path}.tmp`, '')
    await data.open()
    expect(await readdir(data.folder)).toContain('store.json.tmp')
  })

  it('treats a missing store.json as damage, not as a first start', async () => {
    const data = await dataFolder()
    await unlink(data.path)
    expect(await storeExists(data.folder)).toBe(true)
    const { store } = await data.open()
    expect(store.snapshot().users).toHaveLength(1)
  })

  it('replaces the leftovers of a killed writer with the next change', async () => {
    const data = await dataFolder()
    await writeFile(`${data.path}.tmp`, 'half', { mode: 0o644 })
    await symlink(data.path, `${data.path}.1.tmp`)
    const { store } = await data.open()
    await store.update(addUser)
    expect(JSON.parse(await readFile(data.path, 'utf8'))).toMatchObject({ nextUserId: 3 })
    expect([await modeOf(data.path), (await lstat(data.path)).isFile()]).toEqual(['600', true])
    expect((await readdir(data.folder)).filter((name) => name.includes('tmp'))).toEqual([])
  })
})
