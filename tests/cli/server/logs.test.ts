import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../../src/domain/server/audit.ts'
import { startCli } from '../../helpers/cli/run-cli.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { testStore } from '../../helpers/cli/test-store.ts'
import { containing } from '../../helpers/texts.ts'

/** One JSON value per line. */
function entriesIn(stdout: string): AuditEntry[] {
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as AuditEntry)
}

describe('logs', () => {
  it('shows what commands and API calls did', async () => {
    await using store = await testStore()
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    const body = JSON.stringify({ username: 'admin', password: 'not this one' })
    await fetch(`${daemon.url}api/login`, { method: 'POST', body })
    await store.run(['settings', 'set', 'branding.name=Very private'])
    await store.run(['users', 'rm', 'nobody', '--yes'])
    const { stdout } = await store.run(['logs', '--audit', '--json'])
    expect(entriesIn(stdout).map(({ who, action, target, outcome }) => [who, action, target, outcome])).toEqual([
      ['', 'auth.login', 'admin', 'refused'],
      ['operator', 'settings.update', 'branding.name', 'done'],
      ['operator', 'users.delete', 'nobody', 'refused'],
    ])
  })

  it('has commands that change or hand out accounts, also those that the API lacks', async () => {
    await using store = await testStore({ 'users.csv': 'username,password\nann,a long passphrase\n' })
    const list = join(store.root, 'users.csv')
    for (const line of [['import', list, '--dry-run'], ['import', list], ['export']])
      await store.run(['users', ...line])
    const recorded = entriesIn((await store.run(['logs', '--audit', '--json'])).stdout)
    expect(recorded.map(({ action, outcome }) => [action, outcome])).toEqual([
      ['users.import', 'done'],
      ['users.export', 'done'],
    ])
    expect(recorded[0]?.changes).toContainEqual({ of: 'user ann', name: 'username', new: 'ann' })
  })

  it('names the account that ran a command, and who became it with sudo, and what has changed', async () => {
    await using store = await testStore()
    const account = userInfo().username
    await store.runProcess(['settings', 'set', 'branding.name=Files'], { env: { SUDO_USER: 'alice' } })
    await store.runProcess(['users', 'add', 'bob', '--password-stdin'], { stdin: 'a long passphrase of mine' })
    const [setting, user] = entriesIn((await store.run(['logs', '--audit', '--json'])).stdout)
    expect(setting).toMatchObject({
      account,
      sudoUser: 'alice',
      changes: [{ name: 'branding.name', old: '', new: 'Files' }],
    })
    expect(user).toMatchObject({
      account,
      changes: expect.arrayContaining([{ of: 'user bob', name: 'password', new: '***' }]) as object,
    })
    expect(user).not.toHaveProperty('sudoUser')
    const { stdout } = await store.run(['logs', '--audit'])
    expect(stdout).toContain(`operator (alice as ${account}) settings.update branding.name [branding.name: "" → Files]`)
  })

  it('does not hold the address of a link', async () => {
    await using store = await testStore({ 'docs/a.txt': 'a' })
    const { hash } = await store.json<{ hash: string }>(['shares', 'add', '/docs', '--user', 'admin'])
    await store.run(['shares', 'set', hash, '--rebind'])
    await store.run(['shares', 'rm', hash, '--yes'])
    const { stdout } = await store.run(['logs', '--audit', '--json'])
    expect(entriesIn(stdout).map(({ action, target }) => [action, target])).toEqual([
      ['shares.create', '/docs'],
      ['shares.update', `${hash.slice(0, 4)}…`],
      ['shares.remove', `${hash.slice(0, 4)}…`],
    ])
    expect(stdout).not.toContain(hash)
  })

  it('records neither mistyped lines nor dry runs', async () => {
    await using store = await testStore()
    await store.run(['users', 'export', store.at('users.json')])
    for (const line of [
      ['settings', 'set', 'branding.nam=x'],
      ['users', 'add', 'bob', '--generate-password', '--quota', '-1'],
      ['users', 'set', 'admin', '--quota', 'lots'],
    ])
      expect(await store.run(line), line.join(' ')).toMatchObject({ code: 2 })
    for (const line of [
      ['users', 'import', store.at('users.json'), '--overwrite', '--dry-run'],
      ['shares', 'prune', '--dry-run'],
    ])
      expect(await store.run(line), line.join(' ')).toMatchObject({ code: 0 })
    const recorded = entriesIn((await store.run(['logs', '--audit', '--json'])).stdout)
    expect(recorded.map(({ action }) => action)).toEqual(['users.export'])
  })

  it('filters by account, action, target and outcome', async () => {
    await using store = await testStore()
    await store.run(['settings', 'set', 'branding.name=One'])
    await store.run(['users', 'rm', 'nobody', '--yes'])
    await store.run(['users', 'rm', 'noone', '--yes'])
    const found = async (...filter: string[]) =>
      entriesIn((await store.run(['logs', '--audit', '--json', ...filter])).stdout).map(({ target }) => target)
    expect(await found('--outcome', 'refused')).toEqual(['nobody', 'noone'])
    expect(await found('--action', 'users.', '--target', 'NOO')).toEqual(['noone'])
    expect(await found('--user', 'eve')).toEqual([])
    expect(await found('--outcome', 'refused', '--lines', '1')).toEqual(['noone'])
    // Without a database, this machine is the only one.
    expect(await found('--all', '--outcome', 'refused')).toEqual(['nobody', 'noone'])
    expect(await store.run(['logs', '--all'])).toMatchObject({ code: 2, stderr: containing('--audit') })
    const following = await store.run(['logs', '--audit', '--all', '--follow'])
    expect(following).toMatchObject({ code: 2, stderr: containing('--follow') })
    expect(await store.run(['logs', '--user', 'eve'])).toMatchObject({ code: 2, stderr: containing('--audit') })
  })

  it('prints readable lines, and filters by time', async () => {
    await using store = await testStore()
    await store.run(['users', 'rm', 'nobody', '--yes'])
    const line = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d operator \([^)]+\) users\.delete nobody refused\n$/
    expect((await store.run(['logs', '--audit', '--since', '1h'])).stdout).toMatch(line)
    expect((await store.run(['logs', '--audit', '--until', '1h'])).stdout.trim()).toBe('')
    expect((await store.run(['logs', '--audit', '--since', '2020-01-01', '--until', '2020-01-02'])).stdout.trim()).toBe(
      '',
    )
    expect(await store.run(['logs', '--audit', '--since', 'lately'])).toMatchObject({
      code: 2,
      stderr: containing('2h'),
    })
  })

  it('shows what was done to files, also from rotated logs', async () => {
    await using store = await testStore()
    const logs = join(store.data, 'logs')
    await mkdir(logs, { mode: 0o700 })
    const entry = { userID: 2, who: 'bob', address: '192.0.2.7', outcome: 'done' }
    const moved = { time: '2026-11-24T08:00:00.000Z', ...entry, action: 'files.transfer', effect: 'moved' }
    const visit = {
      time: '2026-11-24T09:00:00.000Z',
      ...entry,
      who: 'visitor',
      action: 'public.share',
      effect: 'visited',
    }
    await writeFile(join(logs, 'audit.log.1'), `${JSON.stringify({ ...moved, target: '/a', destination: '/b' })}\n`)
    await writeFile(join(logs, 'audit.log'), `${JSON.stringify({ ...visit, target: '/docs', link: '5Wc1…' })}\n`)
    const { stdout } = await store.runProcess(['logs', '--audit'], { env: { TZ: 'UTC' } })
    expect(stdout.split('\n')).toEqual([
      '2026-11-24 08:00:00 bob (192.0.2.7) moved /a → /b',
      '2026-11-24 09:00:00 visitor (192.0.2.7) visited /docs by link 5Wc1…',
      '',
    ])
  })

  it('also filters while it follows the log', async () => {
    await using store = await testStore()
    const filter = ['--lines', '0', '--action', 'users.', '--target', 'noone']
    await using following = startCli(['--data', store.data, 'logs', '--audit', '--follow', '--json', ...filter])
    const first = following.firstLine()
    const seen: string[] = []
    void first.then((line) => seen.push(line))
    while (seen.length === 0) {
      await store.run(['settings', 'set', 'branding.name=noone'])
      await store.run(['users', 'rm', 'noone', '--yes'])
    }
    expect(JSON.parse(await first)).toMatchObject({ action: 'users.delete', target: 'noone' })
    following.kill('SIGINT')
    expect((await following.ended()).stdout).not.toContain('settings.update')
  })

  it('shows the newest lines of a log file, and says where there is none', async () => {
    await using store = await testStore()
    expect(await store.run(['logs'])).toMatchObject({ code: 3, stdout: '' })
    const file = join(store.root, '..', 'filemgr.log')
    await store.run(['server', 'set', `log=${file}`])
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    await fetch(`${daemon.url}api/usage/`)
    await daemon.stop()
    const { stdout } = await store.run(['logs', '--lines', '1'])
    expect(stdout.trimEnd()).toBe((await readFile(file, 'utf8')).trimEnd().split('\n').at(-1))
    expect(await store.run(['logs', '--lines', 'many'])).toMatchObject({ code: 2 })
  })
})
