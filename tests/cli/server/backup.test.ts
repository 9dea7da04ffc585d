import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { StoreDocument } from '../../../src/store/document.ts'
import type { RestoreReport } from '../../../src/domain/server/backup.ts'
import { CHEAP_HASH, PASSWORD } from '../../helpers/cheap-account.ts'
import { runHereJson } from '../../helpers/cli/run-here.ts'
import { backupOf, filesIn } from '../../helpers/samples/tar-file.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { ADMIN_PASSWORD, storeWithToken } from '../../helpers/cli/test-store.ts'
import { containing } from '../../helpers/texts.ts'

/** A store with an administrator, and a path for its backup. */
async function world() {
  const store = await storeWithToken()
  return Object.assign(store, { backup: store.at('state.tar'), file: store.at('data/store.json') })
}

const users = async (data: string) =>
  (await runHereJson<{ username: string }[]>(['--data', data, 'users', 'ls'])).map(({ username }) => username)

describe('backup create', () => {
  it('writes a file that only its owner can read, and never overwrites one', async () => {
    await using here = await world()
    const created = await here.json<object>(['backup', 'create', here.backup])
    expect(created).toMatchObject({ file: here.backup, users: 1, shares: 0 })
    expect((await stat(here.backup)).mode & 0o777).toBe(0o600)
    const first = await readFile(here.backup)
    expect((await here.run(['backup', 'create', here.backup])).code).toBe(5)
    expect(await readFile(here.backup)).toEqual(first)
    expect([...(await filesIn(first)).keys()]).toEqual(['store.json', 'manifest.json'])
    expect(await readdir(here.at('.'))).not.toContainEqual(expect.stringContaining('.tmp'))
  })

  it('is complete and consistent while the daemon keeps saving', async () => {
    await using here = await world()
    await using daemon = await startTestDaemon({ data: here.data, root: here.root })
    const headers = { 'x-auth': here.token }
    const { signal, abort } = stopper()
    const load = (async () => {
      for (let count = 0; !signal.aborted; count += 1) {
        const body = (await (await fetch(`${daemon.url}api/settings`, { headers })).json()) as object
        const changed = { ...body, shell: [`n${count}`] }
        await fetch(`${daemon.url}api/settings`, { method: 'PUT', headers, body: JSON.stringify(changed) })
      }
    })()
    for (const name of ['1.tar', '2.tar', '3.tar']) {
      await here.json(['backup', 'create', here.at(name)])
      await here.json(['restore', here.at(name), '--dry-run'])
    }
    abort()
    await load
  })
})

function stopper() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

describe('restore', () => {
  it('takes effect at once in a running daemon, which signs everybody out', async () => {
    await using here = await world()
    await here.json(['backup', 'create', here.backup])
    await here.run(['users', 'add', 'eve', ...CHEAP_HASH])
    await using daemon = await startTestDaemon({ data: here.data, root: here.root })
    const signIn = async (username: string, password = ADMIN_PASSWORD) =>
      await fetch(`${daemon.url}api/login`, {
        method: 'POST',
        body: JSON.stringify({ username, password }),
      })
    const token = await (await signIn('eve', PASSWORD)).text()

    await here.json(['restore', here.backup, '--yes'])
    const listing = async () => (await fetch(`${daemon.url}api/resources/`, { headers: { 'x-auth': token } })).status
    await expect.poll(listing).toBe(401)
    expect((await signIn('eve', PASSWORD)).status).toBe(403)
    expect((await signIn('admin')).status).toBe(200)
  })

  it('works when the store and its copies are damaged, and keeps the damaged store', async () => {
    await using here = await world()
    await here.json(['backup', 'create', here.backup])
    const data = await readdir(here.data)
    for (const name of data.filter((file) => file.startsWith('store.json')))
      await writeFile(here.at(`data/${name}`), '{')
    expect((await here.run(['users', 'ls'])).code).toBe(6)

    const unreadable = { usersBefore: null, sharesBefore: null }
    const dry = await here.run(['restore', here.backup, '--dry-run'])
    expect(dry).toMatchObject({ code: 0, stdout: containing('replaces a store that cannot be read') })
    const report = await here.json<RestoreReport>(['restore', here.backup, '--yes'])
    expect(report).toMatchObject(unreadable)
    expect(await users(here.data)).toEqual(['admin'])
    expect(await readFile(here.at(`data/${report.kept}`), 'utf8')).toBe('{')
  })

  it('removes temporary files of a killed restore, and so does the next start of the daemon', async () => {
    await using here = await world()
    await here.json(['backup', 'create', here.backup])
    const leave = async () => {
      await writeFile(here.at('data/before-restore-2026-01-01T00-00-00-000Z.tar.AbC-_1.tmp'), 'half')
      await mkdir(here.at('data/branding.AbC-_1.tmp'))
      await writeFile(here.at('data/branding.AbC-_1.tmp/custom.css'), 'half')
    }
    const left = async () =>
      (await readdir(here.data)).filter((name) => /^(before-restore|branding).*\.tmp$/.test(name))
    await leave()
    await here.json(['restore', here.backup, '--yes'])
    expect(await left()).toEqual([])
    await leave()
    await using _daemon = await startTestDaemon({ data: here.data, root: here.root })
    expect(await left()).toEqual([])
  })

  it('creates a store where there is none, as on a new machine', async () => {
    await using here = await world()
    await here.json(['backup', 'create', here.backup])
    const elsewhere = here.at('new')
    const dry = await runHereJson<RestoreReport>(['--data', elsewhere, 'restore', here.backup, '--dry-run'])
    await expect(stat(here.at('new'))).rejects.toThrow('ENOENT')
    const report = await runHereJson<RestoreReport>(['--data', elsewhere, 'restore', here.backup, '--yes'])
    expect({ ...dry, dryRun: false }).toEqual(report)
    expect(await users(elsewhere)).toEqual(['admin'])
    expect((await stat(here.at('new/store.json'))).mode & 0o777).toBe(0o600)
  })

  it('brings back what users share with each other, but nothing of accounts that it lacks', async () => {
    await using here = await world()
    for (const name of ['bob', 'eve']) await here.run(['users', 'add', name, ...CHEAP_HASH])
    const share = async (owner: string, to: string) =>
      (await here.json<{ id: string }>(['grants', 'add', '/', '--user', owner, '--to', to, '--expires', '2999-12-31']))
        .id
    const [own, of, to] = [await share('admin', 'bob'), await share('eve', 'bob'), await share('admin', 'eve')]
    await here.json(['shares', 'add', '/', '--user', 'eve'])
    await here.json(['backup', 'create', here.backup])
    const listed = async (...flags: string[]) => await here.json<{ id: string }[]>([...flags, 'grants', 'ls'])
    const before = await listed()
    expect(before.map(({ id }) => id)).toEqual([own, of, to])

    await here.json(['users', 'rm', 'eve', '--yes'])
    expect((await listed()).map(({ id }) => id)).toEqual([own])
    await here.json(['restore', here.backup, '--yes'])
    expect(await listed()).toEqual(before)
    await here.json(['store', 'copy', '--to', here.at('copy')])
    expect(await runHereJson(['--data', here.at('copy'), 'grants', 'ls'])).toEqual(before)

    const document = JSON.parse(String((await filesIn(await readFile(here.backup))).get('store.json'))) as StoreDocument
    const users = document.users.filter(({ username }) => username !== 'eve')
    const edited = backupOf({ 'store.json': JSON.stringify({ ...document, users }) })
    await writeFile(here.at('edited.tar'), edited)
    await here.json(['restore', here.at('edited.tar'), '--yes'])
    expect((await listed()).map(({ id }) => id)).toEqual([own])
    expect(await here.json(['shares', 'ls'])).toEqual([])
  })

  it('asks for confirmation, and requires --yes without a terminal', async () => {
    await using here = await world()
    await here.json(['backup', 'create', here.backup])
    const { code, stderr } = await here.run(['restore', here.backup])
    expect([code, stderr]).toEqual([2, expect.stringContaining('Add --yes')])
  })

  it.each([
    ['missing', 'nothing.tar', 3],
    ['damaged', 'damaged.tar', 2],
    ['below a file', 'damaged.tar/state.tar', 3],
  ])('refuses a file that is %s in one line, and changes nothing', async (_, name, code) => {
    await using here = await world()
    await here.json(['backup', 'create', here.backup])
    await writeFile(here.at('damaged.tar'), (await readFile(here.backup)).subarray(0, 900))
    const before = await readFile(here.file)
    const files = await namesIn(here.data)
    const result = await here.run(['restore', here.at(name), '--yes'])
    expect(result.code).toBe(code)
    expect(result.stderr).toMatch(/^filemgr: .*\n$/)
    expect(await readFile(here.file)).toEqual(before)
    expect(await namesIn(here.data)).toEqual(files)
  })
})

/** The names in a data folder without the logs, which every command changes. */
async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name !== 'logs')
}
