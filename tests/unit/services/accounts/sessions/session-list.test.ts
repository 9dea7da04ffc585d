import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../../../src/domain/accounts/actor.ts'
import type { UserId } from '../../../../../src/domain/ids.ts'
import { errorLike } from '../../../../helpers/unit/error-like.ts'
import { make } from '../../../../helpers/make.ts'
import { CLIENT, testContext } from '../../../../helpers/test-context.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

const UNAUTHENTICATED = errorLike('UNAUTHENTICATED')
const FORBIDDEN = errorLike('FORBIDDEN')

describe('the list of devices', () => {
  it('shows one device through its renewals, and which one is asking', async () => {
    await using context = await testContext({ users: [make.admin(), make.user()] })
    await context.login('bob', { address: '192.0.2.1', userAgent: 'phone' })
    context.clock.move(MINUTE)
    const bob = await context.actor('bob')
    await context.services.auth.renew(bob, CLIENT)
    const devices = await context.services.sessions.list(bob)
    expect(devices.map(({ current, address, userAgent }) => ({ current, address, userAgent }))).toEqual([
      { current: true, address: '127.0.0.1', userAgent: 'test' },
      { current: false, address: '192.0.2.1', userAgent: 'phone' },
    ])
    expect(devices[0]?.signedInAt).toBe(new Date(context.clock.now()).toISOString())
  })

  it('shows those of others to administrators and the operator only', async () => {
    await using context = await testContext({ users: [make.admin(), make.user()] })
    const [admin, bob] = [await context.actor('admin'), await context.actor('bob')]
    const { sessions } = context.services
    expect(await sessions.list(bob)).toHaveLength(1)
    await expect(sessions.list(bob, { all: true })).rejects.toEqual(FORBIDDEN)
    await expect(sessions.list(bob, { userId: 1 as UserId })).rejects.toEqual(FORBIDDEN)
    expect(await sessions.list(admin, { all: true })).toHaveLength(2)
    expect(await sessions.list(OPERATOR, { all: true })).toHaveLength(2)
    const [ofAdmin] = await sessions.list(admin)
    await expect(sessions.revoke(bob, ofAdmin?.id ?? '')).rejects.toEqual(FORBIDDEN)
    await expect(sessions.revoke(admin, 'no-such-session-at-all')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await sessions.revokeAllOf(admin, 2 as UserId)).toBe(1)
    expect(await sessions.list(admin, { all: true })).toHaveLength(1)
  })

  it('shows when and from where a device was last seen, without a write for each request', async () => {
    await using context = await testContext()
    const token = await context.login('admin')
    let writes = 0
    context.sessions.onChange(() => {
      writes += 1
    })
    context.clock.move(10 * MINUTE)
    for (let count = 0; count < 100; count += 1) {
      await context.services.auth.authenticate(token, { ...CLIENT, address: '192.0.2.7' })
    }
    expect(writes).toBe(0)
    await context.services.sessions[Symbol.asyncDispose]()
    expect(writes).toBe(1)
    const [device] = await context.services.sessions.list(OPERATOR, { all: true })
    expect(device).toMatchObject({
      address: '192.0.2.7',
      lastSeenAt: new Date(context.clock.now()).toISOString(),
    })
  })

  it('forgets sessions that are over at the next sign-in', async () => {
    await using context = await testContext()
    await context.login('admin')
    context.clock.move(DAY)
    await context.login('admin')
    expect(context.sessions.all()).toHaveLength(1)
  })

  it('signs out the device that was away longest when a user has a hundred of them', async () => {
    await using context = await testContext()
    const first = await context.login('admin')
    for (let count = 0; count < 100; count += 1) {
      context.clock.move(SECOND)
      await context.login('admin')
    }
    expect(await context.services.sessions.list(OPERATOR, { all: true })).toHaveLength(100)
    await expect(context.services.auth.authenticate(first, CLIENT)).rejects.toEqual(UNAUTHENTICATED)
  })
})
