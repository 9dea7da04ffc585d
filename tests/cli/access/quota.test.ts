import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { UserView } from '../../../src/domain/accounts/user.ts'
import type { QuotaView } from '../../../src/domain/access/quota.ts'
import { CHEAP_HASH } from '../../helpers/cheap-account.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { testStore } from '../../helpers/cli/test-store.ts'

const BOB = ['users', 'add', 'bob', ...CHEAP_HASH, '--scope', '/bob']
const GB = 1024 ** 3

describe('quota', () => {
  it('is set with a unit such as 20GB, and shown with the account', async () => {
    await using store = await testStore()
    const bob = await store.json<UserView>([...BOB, '--quota', '20GB', '--quota-files', '1000'])
    expect(bob).toMatchObject({ quota: 20 * GB, quotaFiles: 1000 })
    expect((await store.run(['users', 'show', 'bob'])).stdout).toMatch(/quota +20GiB/)
    expect((await store.run(['users', 'ls'])).stdout).toContain('20 GiB, 1000 files')
    expect(await store.json<UserView>(['users', 'set', 'bob', '--quota', '0'])).not.toHaveProperty('quota')
    const refused = await store.run(['users', 'set', 'bob', '--quota', 'much'])
    expect([refused.code, refused.stderr]).toEqual([2, 'filemgr: --quota must be a size such as 20MiB, not "much"\n'])
  })

  it('is counted when it is first asked for, whether a daemon runs or not', async () => {
    await using store = await testStore({ 'bob/a.txt': 'abc' })
    await store.json([...BOB, '--quota', '1GB'])
    const used = { used: { bytes: 3, files: 1 }, limit: { bytes: GB, files: 0 }, username: 'bob' }
    expect(await store.json<QuotaView[]>(['quota', 'ls'])).toMatchObject([used])
    {
      await using _daemon = await startTestDaemon({ data: store.data, root: store.root })
      expect(await store.json<QuotaView[]>(['quota', 'ls'])).toMatchObject([used])
    }
    const { stdout } = await store.run(['quota', 'recount', 'bob'])
    expect(stdout).toMatch(/bob +\/bob +3 B +1 GiB +1 +any/)
    const refused = await store.run(['quota', 'recount', 'admin'])
    expect([refused.code, refused.stderr]).toEqual([3, 'filemgr: there is no user "admin" with a quota\n'])
  })

  it('is recounted by the daemon', async () => {
    await using store = await testStore({ 'bob/a.txt': 'abc' })
    await store.json([...BOB, '--quota', '1GB'])
    await using _daemon = await startTestDaemon({ data: store.data, root: store.root })
    await store.json(['quota', 'recount'])
    await writeFile(join(store.root, 'bob/b.txt'), 'defgh')
    expect(await store.json<QuotaView[]>(['quota', 'ls'])).toMatchObject([{ used: { bytes: 3, files: 1 } }])
    expect(await store.json<QuotaView[]>(['quota', 'recount', 'id:2'])).toMatchObject([
      { used: { bytes: 8, files: 2 } },
    ])
  })
})
