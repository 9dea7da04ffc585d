import { chmod, chown, lstat, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { programLine } from '../helpers/cli/program.ts'
import { startTestDaemon } from '../helpers/cli/test-daemon.ts'
import { testStore } from '../helpers/cli/test-store.ts'
import { needsRoot } from '../helpers/needs.ts'

needsRoot()

/** The account "nobody". */
const ACCOUNT = 65_534

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

it('a command works in a folder that its account may not enter, as with "sudo -u"', async () => {
  await using store = await testStore()
  const locked = store.at('locked')
  await mkdir(locked, { mode: 0o000 })
  const place = { cwd: locked, env: { HOME: locked }, enforcePermissions: true }
  expect(await store.run(['users', 'ls'], place)).toMatchObject({ code: 0, stderr: '' })
})

it('doctor reports files in the data folder that belong to another account', async () => {
  await using store = await testStore()
  await chownAll(store.data)
  await chown(join(store.data, 'store.json'), 0, 0)
  const { stdout } = await store.run(['doctor'])
  expect(stdout).toContain(`chown -R ${ACCOUNT} ${store.data}`)
})

it('doctor of root judges by the account of the daemon what it may do with files', async () => {
  await using store = await testStore({ 'a.txt': 'a' })
  await chmod(store.at('.'), 0o755)
  await chownAll(store.data)
  const doctor = async () => (await store.run(['doctor'])).stdout
  expect(await doctor()).toContain(
    `the account nobody may not write to ${store.root}, so every upload fails\n         → setfacl -R -m u:nobody:rwX,d:u:nobody:rwX ${store.root}`,
  )
  await chown(store.root, ACCOUNT, ACCOUNT)
  expect(await doctor()).not.toContain('may not')
  await chmod(store.at('.'), 0o700)
  expect(await doctor()).toContain(`the account nobody may not enter ${store.at('.')}`)
})

it('doctor of root sees the files as a running daemon sees them, with its groups', async () => {
  await using store = await testStore({ 'a.txt': 'a' })
  await chmod(store.at('.'), 0o755)
  await chownAll(store.data)
  await chown(store.root, 0, 12_345)
  await chmod(store.root, 0o775)
  const program = store.at('as-service')
  await writeFile(
    program,
    `#!/bin/sh\nexec setpriv --reuid=${ACCOUNT} --regid=${ACCOUNT} --groups=12345 ${programLine().join(' ')} "$@"\n`,
  )
  await chmod(program, 0o755)
  {
    await using _daemon = await startTestDaemon({ program, data: store.data, root: store.root })
    expect((await store.run(['doctor'])).stdout).not.toContain('may not')
  }
  expect((await store.run(['doctor'])).stdout).toContain('may not write to')
})
