import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, cp, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import type { ImportReport } from '../../../src/import/filebrowser/import-report.ts'
import { OLD_INSTALLATION, oldFacts, oldFile } from '../../helpers/samples/old-installation.ts'
import { CHEAP_HASH } from '../../helpers/cheap-account.ts'
import { runHere, runHereJson } from '../../helpers/cli/run-here.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'

/** A copy of the old installation to work on, and a place for our data. */
async function oldWorld() {
  const folder = await tempFolder()
  await cp(OLD_INSTALLATION, folder.at('old'), { recursive: true })
  const data = folder.at('data')
  return Object.assign(folder, { database: folder.at('old/filebrowser.db'), data, line: ['--data', data, 'import'] })
}

interface Report extends ImportReport {
  readonly dryRun: boolean
  readonly saved: boolean
  readonly needsMerge: boolean
}

it('imports an installation: old passwords sign in, scopes and rules apply', async () => {
  await using world = await oldWorld()
  const before = await readFile(world.database)
  const report = await runHereJson<Report>([...world.line, world.database])
  expect(report).toMatchObject({ dryRun: false, saved: true, dropped: [{ subject: 'signing key' }] })
  expect(await readFile(world.database)).toEqual(before)

  await using daemon = await startTestDaemon({ data: world.data, root: world.at('old/srv') })
  for (const [username, password] of Object.entries(oldFacts().passwords)) {
    const body = JSON.stringify({ username, password })
    const login = await fetch(`${daemon.url}api/login`, { method: 'POST', body })
    expect([username, login.status]).toEqual([username, 200])
    const headers = { 'x-auth': await login.text() }
    const listing = await fetch(`${daemon.url}api/resources/`, { headers })
    const { items } = (await listing.json()) as { items: { name: string }[] }
    // The scope of alice is /docs, in which a rule of hers hides a folder. One sorts by size, which folders have from the disk.
    expect(items.map(({ name }) => name).toSorted()).toEqual(username === 'alice' ? ['report.txt'] : ['docs', 'media'])
  }
})

it('keeps old links working, with their passwords and with the tokens in old addresses', async () => {
  await using world = await oldWorld()
  await runHere([...world.line, world.database])
  await using daemon = await startTestDaemon({ data: world.data, root: world.at('old/srv') })
  const open = async (hash: string, headers: Record<string, string> = {}, query = '') =>
    (await fetch(`${daemon.url}api/public/dl/${hash}${query}`, { headers })).status
  for (const { hash, password, token } of oldFacts().shares) {
    expect([hash, await open(hash)]).toEqual([hash, password === null ? 200 : 401])
    if (password === null || token === null) continue
    const header = { 'X-SHARE-PASSWORD': encodeURIComponent(password) }
    expect([hash, await open(hash, header)]).toEqual([hash, 200])
    expect([hash, await open(hash, {}, `?token=${token}`)]).toEqual([hash, 200])
    expect([hash, await open(hash, {}, `?token=${token.slice(0, -1)}A`)]).toEqual([hash, 401])
  }
  expect(await readFile(`${world.data}/store.json`, 'utf8')).not.toContain('EVQXk5T5bvd')
})

it('prints the same plan in a dry run, which creates nothing', async () => {
  await using world = await oldWorld()
  const dry = await runHereJson<Report>([...world.line, world.database, '--dry-run'])
  await expect(stat(world.data)).rejects.toThrow('ENOENT')
  const real = await runHereJson<Report>([...world.line, world.database])
  expect({ ...dry, dryRun: false, saved: true }).toEqual(real)
})

it('adds to existing accounts only with --merge, and does not change those', async () => {
  await using world = await oldWorld()
  await world.fill({ 'files/': '' })
  const init = ['init', '--root', 'files', '--username', 'bob', ...CHEAP_HASH]
  await runHere(['--data', world.data, ...init], { cwd: world.path })
  const store = await readFile(`${world.data}/store.json`, 'utf8')

  const refused = await runHere([...world.line, world.database])
  expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining('--merge adds to them') as string })
  const dry = await runHereJson<Report>([...world.line, world.database, '--dry-run'])
  expect(dry.needsMerge).toBe(true)
  expect(await readFile(`${world.data}/store.json`, 'utf8')).toBe(store)

  const { clashes } = await runHereJson<Report>([...world.line, world.database, '--merge'])
  expect(clashes.map(({ subject }) => subject)).toContain('user bob')
  const users = await runHereJson<{ username: string }[]>(['--data', world.data, 'users', 'ls'])
  expect(users.map(({ username }) => username).toSorted()).toEqual(['123', 'admin', 'alice', 'bob'])
})

it('merges into the store of a running daemon, where old passwords sign in at once', async () => {
  await using world = await oldWorld()
  const root = world.at('old/srv')
  const init = ['init', '--root', root, '--username', 'root', ...CHEAP_HASH]
  await runHere(['--data', world.data, ...init])
  await using daemon = await startTestDaemon({ data: world.data, root })
  await runHereJson([...world.line, world.database, '--merge'])
  const body = JSON.stringify({ username: 'alice', password: oldFacts().passwords['alice'] })
  const signIn = async () => (await fetch(`${daemon.url}api/login`, { method: 'POST', body })).status
  await expect.poll(signIn).toBe(200)
  expect((await fetch(`${daemon.url}api/public/dl/UD4ymEJp`)).status).toBe(200)
})

it('also imports exports in YAML or JSON', async () => {
  await using world = await oldWorld()
  await runHereJson([...world.line, oldFile('users.yaml'), oldFile('config.json'), '--root', world.at('old/srv')])
  expect(await runHereJson(['--data', world.data, 'settings', 'get', 'branding.name'])).toBe('Our Files')
  const users = await runHereJson<object[]>(['--data', world.data, 'users', 'ls'])
  expect(users).toHaveLength(4)
})

it('reports links that leave the served folder, and a database inside it', async () => {
  await using world = await oldWorld()
  await symlink('/etc', world.at('old/srv/outside'))
  await symlink('docs', world.at('old/srv/inside'))
  await copyFile(world.database, world.at('old/srv/filebrowser.db'))
  const files = [world.at('old/srv/filebrowser.db'), '--root', world.at('old/srv'), '--dry-run']
  const { lookAt } = await runHereJson<Report>([...world.line, ...files])
  const subjects = lookAt.map(({ subject }) => subject)
  expect(subjects).toContain('link outside')
  expect(subjects).toContain(world.at('old/srv/filebrowser.db'))
  expect(subjects).not.toContain('link inside')
})

it('reports a missing served folder, and accepts another one', async () => {
  await using world = await oldWorld()
  await copyFile(world.database, world.at('alone.db'))
  const dry = await runHereJson<Report>([...world.line, world.at('alone.db'), '--dry-run'])
  expect(dry.lookAt.map(({ subject }) => subject)).toContain('served folder')
  const root = world.at('old/srv')
  await runHereJson([...world.line, world.at('alone.db'), '--root', root])
  expect(await readFile(`${world.data}/store.json`, 'utf8')).toContain(JSON.stringify(root))
})

it('refuses a database that a running File Browser has locked, except for a dry run', async () => {
  await using world = await oldWorld()
  // The process that locks must live on: in a container the system names no other as the holder.
  const holder = spawn('flock', ['--no-fork', world.database, 'sh', '-c', 'echo held; exec sleep 60'])
  try {
    await once(holder.stdout, 'data')
    const refused = await runHere([...world.line, world.database])
    expect(refused).toMatchObject({ code: 6, stderr: expect.stringContaining('stop it') as string })
    const { lookAt } = await runHereJson<Report>([...world.line, world.database, '--dry-run'])
    expect(lookAt.map(({ subject }) => subject)).toContain('running File Browser')
  } finally {
    holder.kill()
  }
})

it.each([
  ['missing', 'nothing.db', 3, 'there is no file'],
  ['a folder', 'old', 2, 'is not a file'],
  ['empty', 'empty.db', 2, 'the file is empty'],
  ['cut off', 'cut.db', 2, 'the end of the file is missing'],
  ['of another program', 'other.json', 2, 'neither a database of File Browser nor'],
  ['no JSON at all', 'broken.json', 2, 'nor JSON, nor YAML'],
])('refuses a file that is %s in one line, and creates nothing', async (_, name, code, message) => {
  await using world = await oldWorld()
  const bytes = await readFile(world.database)
  await world.fill({ 'empty.db': '', 'other.json': '{"a":1}', 'broken.json': '{"key":"s3cret' })
  await writeFile(world.at('cut.db'), bytes.subarray(0, 40_000))
  const result = await runHere([...world.line, world.at(name)])
  expect(result.code).toBe(code)
  expect(result.stderr).toMatch(/^filemgr: .*\n$/)
  expect(result.stderr).toContain(message)
  expect(result.stderr).not.toContain('s3cret')
  await expect(stat(world.data)).rejects.toThrow('ENOENT')
})
