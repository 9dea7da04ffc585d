import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testStore } from '../helpers/test-store.ts'

it.each([
  [2, ['users', 'add', 'bob', '--password', 'short']],
  [2, ['settings', 'set', 'signup=perhaps']],
  [3, ['users', 'show', 'nobody']],
  [3, ['shares', 'show', 'x'.repeat(16)]],
  [4, ['users', 'rm', 'admin', '--yes']],
  [5, ['users', 'add', 'admin', '--password', 'another passphrase']],
  [6, ['users', 'ls'], 'store.json'],
  [7, ['status']],
] as const)('exit code %i tells what went wrong, in one line: %j', async (code, line, damaged?: string) => {
  await using store = await testStore()
  if (damaged !== undefined) {
    for (const name of [damaged, `${damaged}.1`]) await writeFile(join(store.data, name), '{')
  }
  const result = await store.run(line)
  expect(result).toMatchObject({ code, stdout: '' })
  expect(result.stderr).toMatch(/^filemgr: .+\n$/)
})
