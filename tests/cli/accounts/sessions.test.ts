import { describe, expect, it } from 'vitest'
import type { SessionView } from '../../../src/domain/accounts/session.ts'
import { startTestDaemon, type TestDaemon } from '../../helpers/cli/test-daemon.ts'
import { ADMIN_PASSWORD, testStore } from '../../helpers/cli/test-store.ts'

async function signIn({ url }: TestDaemon): Promise<string> {
  const body = JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD })
  return await (await fetch(`${url}api/login`, { method: 'POST', body, headers: { 'User-Agent': 'a phone' } })).text()
}

const statusOf = async ({ url }: TestDaemon, token: string) =>
  (await fetch(`${url}api/sessions`, { headers: { 'X-Auth': token } })).status

describe('sessions', () => {
  it('lists the devices and signs one out; the other stays signed in', async () => {
    await using store = await testStore()
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    const [one, other] = [await signIn(daemon), await signIn(daemon)]
    const listed = await store.json<SessionView[]>(['sessions', 'ls'])
    expect(listed).toMatchObject([
      { username: 'admin', userAgent: 'a phone' },
      { username: 'admin', userAgent: 'a phone' },
    ])
    expect((await store.run(['sessions', 'ls', '--user', 'admin', '--quiet'])).stdout).toBe(
      `${listed.map(({ id }) => id).join('\n')}\n`,
    )
    expect(await store.run(['sessions', 'revoke', listed[0]?.id ?? ''])).toMatchObject({
      code: 0,
      stdout: '1 signed out\n',
    })
    await expect
      .poll(async () => [await statusOf(daemon, one), await statusOf(daemon, other)].toSorted((a, b) => a - b))
      .toEqual([200, 401])
  })

  it('signs a user out everywhere, whether or not the daemon runs', async () => {
    await using store = await testStore()
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    const token = await signIn(daemon)
    expect(await store.json(['sessions', 'revoke', '--user', 'admin'])).toEqual({ revoked: 1 })
    await expect.poll(async () => await statusOf(daemon, token)).toBe(401)
    await signIn(daemon)
    await daemon.stop()
    expect(await store.json(['sessions', 'revoke', '--all'])).toEqual({ revoked: 1 })
    expect(await store.json(['sessions', 'ls'])).toEqual([])
  })

  it('revokes nothing without an id or a flag, or for an unknown user or session', async () => {
    await using store = await testStore()
    expect(await store.run(['sessions', 'revoke'])).toMatchObject({ code: 2, stdout: '' })
    expect(await store.run(['sessions', 'revoke', '--user', 'nobody'])).toMatchObject({ code: 3, stdout: '' })
    expect(await store.run(['sessions', 'revoke', 'x'.repeat(16)])).toMatchObject({ code: 3, stdout: '' })
  })
})
