import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { User } from '../../../../src/domain/accounts/user.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'
import type { TestContext } from '../../../helpers/test-context.ts'
import { append, begun, contentOf } from './begun-upload.ts'

/** Takes a permission from all users. */
const without =
  (permission: keyof User['perm']) =>
  async ({ store }: TestContext): Promise<void> => {
    await store.update((draft, { users }) => {
      draft.users = users.map((user) => ({ ...user, perm: { ...user.perm, [permission]: false } }))
    })
  }

describe('an upload whose last byte is in', () => {
  it('does not become a file if its user has lost the right to that meanwhile', async () => {
    await using world = await begun('abc', { hook: without('create') })
    await expect(append(world, 3, 'def')).rejects.toThrow(errorLike('FORBIDDEN'))
    expect((await world.names()).filter((name) => !name.startsWith('.'))).toEqual([])
  })

  it('does not replace a file if its user has lost the right to that meanwhile', async () => {
    const files = { 'a.txt': 'old' }
    await using world = await begun('abc', { files, override: true, hook: without('modify') })
    await expect(append(world, 3, 'def')).rejects.toThrow(errorLike('FORBIDDEN'))
    expect(await contentOf(world)).toBe('old')
  })

  it('does not replace a file that has shrunk since its room was promised to the upload', async () => {
    const touching = async ({ root }: TestContext) => await truncate(join(root, 'a.txt'), 2)
    const files = { 'a.txt': 'old and longer' }
    await using world = await begun('abc', { owner: { quota: 100 }, files, override: true, touching })
    await expect(append(world, 3, 'def')).rejects.toThrow(errorLike('CONFLICT'))
    expect(await contentOf(world)).toBe('ol')
  })

  it.each([
    ['a new file', {}, 'created', []],
    ['another content', { 'a.txt': 'old' }, 'overwritten', ['/a.txt']],
  ])('is %s, and only what it replaced is counted as free', async (_, files, placed, expected) => {
    const freed: string[] = []
    // A visitor would get half of it.
    const owner = { quota: 8 }
    await using world = await begun('abcdef', { owner, files, override: true, freed: (path) => void freed.push(path) })
    expect([world.placed, await contentOf(world), freed]).toEqual([placed, 'abcdef', expected])
  })
})
