import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Job } from '../../../src/domain/automation/job.ts'
import type { SessionView } from '../../../src/domain/accounts/session.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { storeWithToken, testStore } from '../../helpers/cli/test-store.ts'

describe.each([
  ['a port', () => []],
  ['a base URL', () => ['--base-url', '/files']],
] as const)('jobs of a daemon on %s', (_, args) => {
  it('are listed and cancelled, and the commands leave no session behind', async () => {
    await using store = await storeWithToken({ 'dir/huge': 'x' })
    await truncate(join(store.root, 'dir/huge'), 500_000_000_000)
    await using daemon = await startTestDaemon({ data: store.data, root: store.root, args: args() })
    const headers = { 'X-Auth': store.token, Prefer: 'respond-async' }
    const url = `${daemon.url}api/resources/dir/huge?checksum=sha512`
    expect((await fetch(url, { headers })).status).toBe(202)
    const listed = async () => await store.json<Job[]>(['jobs', 'ls'])
    const [job] = await listed()
    expect(job).toMatchObject({ kind: 'checksum', path: '/dir/huge', state: 'running' })
    expect(await store.json(['jobs', 'cancel', job?.id ?? ''])).toEqual({ id: job?.id, wasRunning: true })
    await expect.poll(async () => (await listed())[0]?.state).toBe('cancelled')
    expect(await store.run(['jobs', 'cancel', 'x'.repeat(16)])).toMatchObject({ code: 3 })
    expect(await store.json<SessionView[]>(['sessions', 'ls'])).toEqual([])
  })
})

it('jobs ls exits with code 7 when no daemon runs', async () => {
  await using store = await testStore()
  expect(await store.run(['jobs', 'ls'])).toMatchObject({ code: 7, stdout: '' })
})
