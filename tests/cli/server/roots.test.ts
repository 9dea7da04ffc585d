import { expect, it } from 'vitest'
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
