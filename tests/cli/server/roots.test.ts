import { rename, readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import type { StoreDocument } from '../../../src/store/document.ts'
import { CHEAP_HASH } from '../../helpers/cheap-account.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { testStore } from '../../helpers/cli/test-store.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

it('roots are given to users and groups by name, with rules of their own', async () => {
  await using disk = await tempFolder({ '2024/a.txt': 'a', 'private/b.txt': 'b' })
  await using store = await testStore()
  const done = async (...line: string[]) => {
    const { code, stdout, stderr } = await store.run(line)
    expect([code, stderr], line.join(' ')).toEqual([0, expect.any(String)])
    return stdout
  }
  await done('roots', 'add', 'Photos', disk.path)
  await done('groups', 'add', 'Family')
  await done('groups', 'members', 'add', 'Family', 'admin')
  expect(await done('roots', 'give', 'photos', '--group', 'family', '--permissions', 'view,download')).toMatch(
    /Photos +\/ +view, download +0/,
  )
  await done('roots', 'give', 'photos', '--user', 'admin', '--folder', '2024', '--name', 'Pictures')
  await done('rules', 'add', '/private', '--deny', '--group', 'family', '--root', 'photos')
  expect(await done('rules', 'ls', '--group', 'family', '--root', 'photos')).toContain('/private')
  expect(await done('rules', 'test', '/private', '--permissions', 'view', '--root', 'photos')).toBe(
    '/private\n2 of 4 entries would allow view\n',
  )
  expect(await done('users', 'show', 'admin')).toContain('Photos:/2024 as Pictures (as the account)')
  expect(await done('groups', 'show', 'family')).toContain('Photos:/ (view, download)')
  expect(await done('roots', 'show', 'photos')).toMatch(/users +admin\n.*groups +Family \(1 member\)/)

  expect(await done('settings', 'set', 'defaults.root=photos')).toContain('Photos')
  await done('settings', 'set', 'defaults.root=')
  await done('users', 'set', 'admin', '--root', 'none')
  expect(await store.json(['users', 'show', 'admin'])).toMatchObject({ root: 'none' })
  await done('roots', 'take', 'photos', '--user', 'admin', '--yes')
  expect(await store.run(['roots', 'take', 'photos', '--user', 'admin', '--yes'])).toMatchObject({ code: 3 })
  expect(await store.run(['roots', 'give', 'photos'])).toMatchObject({ code: 2 })
  const { stderr } = await store.run(['users', 'export', '-', '--format', 'filebrowser'])
  expect(stderr).toContain('their places and other roots: admin')
})

it('roots and places are in backups and lists of users, and stores from before they existed open', async () => {
  await using disk = await tempFolder({ '2024/a.txt': 'a' })
  await using from = await testStore()
  await using to = await testStore()
  await from.run(['users', 'add', 'bob', ...CHEAP_HASH])
  await from.run(['groups', 'add', 'family'])
  const { id } = await from.json<{ id: string }>(['roots', 'add', 'photos', disk.path])
  await from.json(['roots', 'give', 'photos', '--user', 'bob', '--folder', '/2024', '--permissions', 'view,download'])
  await from.json(['roots', 'give', 'photos', '--group', 'family', '--name', 'Pictures'])
  await from.json(['rules', 'add', '/x', '--deny', '--user', 'bob', '--root', 'photos'])
  const bob = await from.json<{ places: object[] }>(['users', 'show', 'bob'])
  expect(bob.places).toMatchObject([{ root: id, scope: '/2024', permissions: ['download'], rules: [{ path: '/x' }] }])
  const family = await from.json(['groups', 'show', 'family'])

  await from.json(['backup', 'create', from.at('state.tar')])
  await from.json(['roots', 'rm', 'photos', '--yes'])
  expect(await from.json(['users', 'show', 'bob'])).not.toHaveProperty('places')
  await from.json(['restore', from.at('state.tar'), '--yes'])
  expect(await from.json(['users', 'show', 'bob'])).toMatchObject({ places: bob.places })
  expect(await from.json(['groups', 'show', 'family'])).toEqual(family)

  // Roots go by their name, because another store has other ids.
  await from.run(['users', 'export', from.at('users.csv')])
  expect(await to.run(['users', 'import', from.at('users.csv'), '--overwrite'])).toMatchObject({ code: 2 })
  const there = await to.json<{ id: string }>(['roots', 'add', 'photos', disk.path])
  expect(await to.run(['users', 'import', from.at('users.csv'), '--overwrite'])).toMatchObject({ code: 0 })
  const places = bob.places.map((place) => ({ ...place, root: there.id }))
  expect(await to.json(['users', 'show', 'bob'])).toMatchObject({ places })

  const file = to.at('data/store.json')
  const { roots: _roots, users, ...document } = JSON.parse(await readFile(file, 'utf8')) as StoreDocument
  const older = users.map(({ places: _places, ...user }) => user)
  await writeFile(file, JSON.stringify({ ...document, users: older, groups: [] }))
  expect(await to.json(['roots', 'ls'])).toHaveLength(1)
  expect(await to.json(['users', 'show', 'bob'])).not.toHaveProperty('places')
})

it('a root that is away is in status, and a fault for doctor unless nobody shall be warned', async () => {
  await using disk = await tempFolder({ 'photos/a.txt': 'a' })
  await using store = await testStore({}, { port: 0 })
  await store.json(['roots', 'add', 'photos', disk.at('photos')])
  expect(await store.run(['doctor'])).toMatchObject({ code: 0 })
  await rename(disk.at('photos'), disk.at('unplugged'))
  await using _daemon = await startTestDaemon({ data: store.data, root: store.root })
  expect((await store.run(['status'])).stdout).toContain(`the root photos is away: ${disk.at('photos')}`)
  const { roots } = await store.json<{ roots: object[] }>(['status'])
  expect(roots).toMatchObject([{ name: 'photos', state: 'away', readOnly: false }])
  const { code, stdout } = await store.run(['doctor'])
  expect([code, stdout]).toEqual([1, expect.stringContaining('the root "photos" is away')])
  await store.json(['roots', 'set', 'photos', '--warn-away=false'])
  expect(await store.run(['doctor'])).toMatchObject({ code: 0 })
})
