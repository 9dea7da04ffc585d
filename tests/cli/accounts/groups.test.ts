import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { GroupSummary, GroupView } from '../../../src/domain/accounts/group.ts'
import type { UserView } from '../../../src/domain/accounts/user.ts'
import { CHEAP_HASH } from '../../helpers/cheap-account.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { testStore } from '../../helpers/cli/test-store.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { containing } from '../../helpers/texts.ts'

const BOB = ['users', 'add', 'bob', ...CHEAP_HASH, '--perm.create=false', '--perm.delete=false']

describe('groups', () => {
  it('are added, changed, listed, shown and removed, whether a daemon runs or not', async () => {
    await using store = await testStore()
    await store.json(BOB)
    const made = await store.json<GroupView>(['groups', 'add', 'Film crew', '--perm.create', '--quota', '200GiB'])
    expect(made).toMatchObject({ name: 'Film crew', perm: { create: true, share: false }, quota: 200 * 1024 ** 3 })
    await using _daemon = await startTestDaemon({ data: store.data, root: store.root })
    const members = await store.run(['groups', 'members', 'add', 'film crew', 'bob', 'admin'])
    expect(members.stdout).toMatch(/members +admin, bob/)
    await store.json(['groups', 'members', 'rm', 'Film crew', 'admin'])
    await store.json(['groups', 'set', 'Film crew', '--name', 'Crew', '--perm.create=false', '--perm.delete'])
    expect(await store.json<GroupSummary[]>(['groups', 'ls'])).toMatchObject([{ name: 'Crew', members: 1 }])
    expect((await store.run(['groups', 'ls'])).stdout).toMatch(/Crew +1 +delete +0 +0 +200 GiB/)
    expect((await store.run(['groups', 'show', `id:${made.id}`])).stdout).toMatch(/members +bob/)
    expect(await store.run(['groups', 'rm', 'Crew'])).toMatchObject({ code: 2, stderr: containing('of 1 member?') })
    await store.json(['groups', 'rm', 'Crew', '--yes'])
    expect(await store.json(['groups', 'ls'])).toEqual([])
  })

  it('say what is wrong with a line', async () => {
    await using store = await testStore()
    const refusals: readonly [string[], number, string][] = [
      [['groups', 'show', 'none'], 3, 'there is no group "none"; see "filemgr groups ls"'],
      [['groups', 'add', 'a,b'], 2, 'the name of a group cannot contain commas'],
      [['groups', 'add', 'x', '--perm.admin'], 2, '--perm.admin'],
      [['rules', 'add', '/x', '--user', 'admin', '--group', 'x'], 2, 'name either a user or a group'],
      [['users', 'set', 'admin', '--deny', 'fly'], 2, 'there is no permission "fly"'],
    ]
    for (const [line, code, text] of refusals) {
      const { code: found, stderr } = await store.run(line)
      expect([line, found, stderr]).toEqual([line, code, containing(text)])
    }
    await store.json(['groups', 'add', 'x'])
    expect(await store.run(['groups', 'members', 'join', 'x', 'admin'])).toMatchObject({
      code: 2,
      stderr: containing(`unknown command 'join'; see "filemgr groups members --help"`),
    })
    expect(await store.run(['groups', 'set', 'x'])).toMatchObject({ code: 2, stderr: containing('nothing to change') })
  })

  it('are named by settings and providers, which keep their ids', async () => {
    await using store = await testStore()
    const { id } = await store.json<GroupView>(['groups', 'add', 'Film crew'])
    await store.json(['groups', 'add', 'Staff'])
    const shown = async () => (await store.run(['settings', 'get', 'secondFactor.groups'])).stdout.trim()
    await store.json(['settings', 'set', 'secondFactor.required=groups', `secondFactor.groups=film CREW, staff`])
    expect(await shown()).toBe('Film crew,Staff')
    await store.json(['settings', 'set', '--second-factor.groups', `id:${id}`])
    const oidc = ['sign-in', 'oidc']
    const flags = ['--issuer', 'https://sso.example.org', '--client-id', 'filemgr', '--secret-variable', 'SECRET']
    const map = ['--map', 'groups: film -> group film crew']
    await store.json([...oidc, 'add', 'SSO', ...flags, ...map])
    await store.json(['groups', 'set', 'Film crew', '--name', 'Camera'])
    expect(await shown()).toBe('Camera')
    expect(await store.json(['settings', 'get', 'secondFactor'])).toMatchObject({ groups: ['Camera'] })
    expect(await store.json([...oidc, 'ls'])).toMatchObject([{ mapping: [{ value: 'film', group: 'Camera' }] }])
    const changed = await store.run([...oidc, 'set', 'sso', '--map', `groups: film -> group id:${id}`])
    expect(changed.stdout).toContain('groups: film -> group Camera')
    for (const line of [
      ['settings', 'set', 'secondFactor.groups=none'],
      [...oidc, 'set', 'sso', '--map', 'groups: film -> group none'],
    ])
      expect(await store.run(line)).toMatchObject({ code: 3, stderr: containing('there is no group "none"') })
    await store.json(['groups', 'rm', 'Camera', '--yes'])
    expect(await shown()).toBe(`id:${id}`)
  })

  it('are named by "why", "rules", "users" and "quota"', async () => {
    await using store = await testStore({ 'docs/a.txt': 'a' })
    await store.json(BOB)
    await store.json(['groups', 'add', 'Readers', '--perm.create', '--perm.delete', '--quota-files', '50'])
    await store.json(['groups', 'members', 'add', 'Readers', 'bob'])
    await store.json(['rules', 'add', '/docs', '--group', 'Readers'])
    expect(await store.json(['rules', 'ls', '--group', 'Readers'])).toMatchObject([{ path: '/docs', allow: false }])
    expect((await store.run(['why', 'bob', 'create', '/new'])).stdout).toContain(
      'the group Readers gives the permission create',
    )
    expect((await store.run(['why', 'bob', 'read', '/docs/a.txt'])).stdout).toContain(
      'rule 0 of the group Readers (/docs) denies /docs/a.txt',
    )
    await store.json(['users', 'set', 'bob', '--deny', 'delete,share'])
    expect(await store.json<UserView>(['users', 'show', 'bob'])).toMatchObject({
      denied: ['delete', 'share'],
      perm: { create: false, share: true },
      effective: { perm: { create: true, delete: false, share: false }, quotaFiles: 50 },
    })
    const { stdout } = await store.run(['users', 'show', 'bob'])
    expect(stdout).toMatch(
      /denied +delete share\ngroups +Readers\neffective permissions +execute create rename modify download/,
    )
    expect((await store.run(['users', 'ls'])).stdout).toMatch(/bob .* Readers .* 50 files/)
    expect((await store.run(['quota', 'ls'])).stdout).toMatch(/bob .* 50 +Readers/)
    expect(await store.json(['users', 'set', 'bob', '--deny', 'none'])).not.toHaveProperty('denied')
  })

  it('are a column of tables of accounts', async () => {
    await using store = await testStore()
    await using folder = await tempFolder()
    const file = folder.at('users.csv')
    await store.json(BOB)
    for (const name of ['Readers', '=Film crew']) {
      await store.json(['groups', 'add', name])
      await store.json(['groups', 'members', 'add', name, 'bob'])
    }
    await store.json(['users', 'export', file])
    const table = await readFile(file, 'utf8')
    await store.json(['groups', 'members', 'rm', 'Readers', 'bob'])
    await store.json(['groups', 'members', 'rm', '=Film crew', 'bob'])
    expect(await store.run(['users', 'import', file, '--overwrite'])).toMatchObject({ code: 0 })
    const groups = async () => (await store.json<UserView>(['users', 'show', 'bob'])).groups?.map(({ name }) => name)
    expect(await groups()).toEqual(['Readers', '=Film crew'])
    await writeFile(file, table.replace('Readers', 'Strangers'))
    expect(await store.run(['users', 'import', file, '--overwrite'])).toMatchObject({
      code: 2,
      stderr: containing('there is no group "Strangers"'),
    })
  })
})
