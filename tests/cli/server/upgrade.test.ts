import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageVersion } from '../../../src/platform/version.ts'
import { runHere, runHereJson } from '../../helpers/cli/run-here.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

const FIXTURE = join(import.meta.dirname, '../../fixtures/filemgr-1.0')
const PASSWORD = 'correct horse battery staple'
const HOUR = 60 * 60 * 1000

/** A data folder as the first release leaves it, with a session of ann. */
async function oldInstallation() {
  const folder = await tempFolder({ 'files/docs/a.txt': 'a' })
  const data = folder.at('data')
  await mkdir(join(data, 'sessions'), { recursive: true, mode: 0o700 })
  await copyFile(join(FIXTURE, 'store.json'), join(data, 'store.json'))
  const session = JSON.parse(await readFile(join(FIXTURE, 'session.json'), 'utf8')) as { family: string }
  const now = Date.now()
  const times = { signedInAt: now, issuedAt: now, lastSeenAt: now, expiresAt: now + HOUR }
  await writeFile(join(data, 'sessions', `${session.family}.json`), JSON.stringify({ ...session, ...times }))
  return {
    data,
    root: folder.at('files'),
    file: (name: string) => join(data, name),
    read: async (name: string) => await readFile(join(data, name), 'utf8'),
    run: async (...args: string[]) => await runHere(['--data', data, ...args]),
    json: async <T>(...args: string[]) => await runHereJson<T>(['--data', data, ...args]),
    [Symbol.asyncDispose]: async () => await folder[Symbol.asyncDispose](),
  }
}

describe('an upgrade from the first release', () => {
  it('keeps all data, and a copy of the old store', async () => {
    await using here = await oldInstallation()
    const before = await here.read('store.json')
    await using daemon = await startTestDaemon({ data: here.data, root: here.root })
    expect(await here.read('store.v1.json')).toBe(before)
    const { filemgr, ...now } = JSON.parse(await here.read('store.json')) as Record<string, unknown>
    expect(filemgr).toBe(packageVersion())
    expect(now).toMatchObject(JSON.parse(before) as object)

    const body = JSON.stringify({ username: 'ann', password: PASSWORD })
    expect((await fetch(`${daemon.url}api/login`, { method: 'POST', body })).status).toBe(200)
    expect(await here.json('sessions', 'ls')).toHaveLength(2)
    expect(await here.json('shares', 'ls')).toMatchObject([{ hash: '_5CMNcldpG46mpRu' }])
    expect(await here.json('hooks', 'ls')).toMatchObject({ hooks: [{ event: 'after_upload' }] })
  })

  it('also copies the old store if a command opens it first', async () => {
    await using here = await oldInstallation()
    const before = await here.read('store.json')
    expect(await here.json('users', 'ls')).toMatchObject([{ username: 'admin' }, { username: 'ann' }])
    expect(await here.read('store.v1.json')).toBe(before)
  })
})

/** The store as a later release writes it, with a field that this one does not know. */
async function newerInstallation() {
  const here = await oldInstallation()
  const newer = async (change: object) => {
    const text = JSON.stringify({ ...(JSON.parse(await here.read('store.json')) as object), ...change })
    await writeFile(here.file('store.json'), text, { mode: 0o600 })
    return text
  }
  return { ...here, newer }
}

describe('a store of a newer filemgr', () => {
  it('is refused by the daemon and by commands, which explain the way back, and is not changed', async () => {
    await using here = await newerInstallation()
    await here.json('users', 'ls')
    await copyFile(here.file('store.json'), here.file(`store.v${packageVersion()}.json`))
    const text = await here.newer({ filemgr: '98.7.0', invented: true })
    const names = await readdir(here.data)
    const kept = here.file(`store.v${packageVersion()}.json`)
    const line =
      `filemgr: store.json was written by filemgr 98.7.0, and this version (${packageVersion()}) cannot read it. ` +
      `Install filemgr 98.7.0 or newer, or go back to the state before the upgrade: ` +
      `filemgr --data ${here.data} restore ${kept}\n`
    const refused = { code: 6, stdout: '', stderr: line }
    expect(await here.run('users', 'ls')).toMatchObject(refused)
    expect(await here.run('serve', here.root, '--port', '0')).toMatchObject(refused)
    expect(await here.read('store.json')).toBe(text)
    expect((await readdir(here.data)).filter((name) => name !== 'logs')).toEqual(
      names.filter((name) => name !== 'logs'),
    )

    const report = await here.json<{ kept: string }>('restore', kept, '--yes')
    expect(await here.read(report.kept)).toBe(text)
    expect(await here.json('users', 'ls')).toMatchObject([{ username: 'admin' }, { username: 'ann' }])
  })

  it('in a newer format, without a copy of the old store, asks for a backup', async () => {
    await using here = await newerInstallation()
    await here.newer({ filemgr: '98.7.0', version: 99 })
    const { code, stderr } = await here.run('users', 'ls')
    expect(code).toBe(6)
    expect(stderr).toContain(`or restore a backup from before the upgrade: filemgr --data ${here.data} restore FILE`)
  })

  it('is read as long as this version knows all its fields', async () => {
    await using here = await newerInstallation()
    await here.newer({ filemgr: '98.7.0' })
    expect(await here.json('users', 'ls')).toMatchObject([{ username: 'admin' }, { username: 'ann' }])
  })
})
