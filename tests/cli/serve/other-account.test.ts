import { chown, lstat, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testStore } from '../../helpers/cli/test-store.ts'

/** The account "nobody", or that of the tests: only root can give files away. */
const IS_ROOT = process.getuid?.() === 0
const ACCOUNT = IS_ROOT ? 65_534 : (process.getuid?.() ?? 0)

/** Paths below a folder that belong to another account. */
async function foreignPathsIn(folder: string): Promise<string[]> {
  const paths = ['', ...(await readdir(folder, { recursive: true }))].map((name) => join(folder, name))
  const owners = await Promise.all(paths.map(async (path) => (await lstat(path)).uid))
  return paths.filter((_, index) => owners[index] !== ACCOUNT)
}

async function chownAll(folder: string): Promise<void> {
  for (const name of ['', ...(await readdir(folder, { recursive: true }))]) {
    await chown(join(folder, name), ACCOUNT, ACCOUNT)
  }
}

it('files that a command of root creates belong to the owner of the data folder or served folder', async () => {
  await using store = await testStore()
  await chownAll(store.data)
  await chownAll(store.root)
  // The commands create these again.
  for (const name of ['store.lock', 'store.lock.txt']) await rm(join(store.data, name))
  const password = ['--password', 'another long passphrase']
  expect(await store.run(['users', 'add', 'bob', ...password, '--scope', '/homes/bob'])).toMatchObject({ code: 0 })
  await writeFile(store.at('custom.css'), 'a { color: red }')
  expect(await store.run(['branding', 'add', store.at('custom.css')])).toMatchObject({ code: 0 })
  expect(await store.run(['backup', 'create', store.at('state.tar')])).toMatchObject({ code: 0 })
  expect(await store.run(['restore', store.at('state.tar'), '--yes'])).toMatchObject({ code: 0 })
  expect(await readdir(store.root)).toContain('homes')
  expect(await readdir(store.data)).toContain('logs')
  expect(await foreignPathsIn(store.root)).toEqual([])
  expect(await foreignPathsIn(store.data)).toEqual([])
})

it.skipIf(!IS_ROOT)(
  'a command works in a folder that its account may not enter, as with "sudo -u" (as root)',
  async () => {
    await using store = await testStore()
    const locked = store.at('locked')
    await mkdir(locked, { mode: 0o000 })
    const place = { cwd: locked, env: { HOME: locked }, enforcePermissions: true }
    expect(await store.run(['users', 'ls'], place)).toMatchObject({ code: 0, stderr: '' })
  },
)

it('doctor reports files in the data folder that belong to another account', async () => {
  await using store = await testStore()
  await chownAll(store.data)
  await chown(join(store.data, 'store.json'), process.getuid?.() ?? 0, process.getgid?.() ?? 0)
  const { stdout } = await store.run(['doctor'])
  expect(stdout.includes(`chown -R ${ACCOUNT} ${store.data}`)).toBe(IS_ROOT)
})
