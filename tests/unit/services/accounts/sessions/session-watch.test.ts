import { describe, expect, it } from 'vitest'
import { OPERATOR, type SignedIn } from '../../../../../src/domain/accounts/actor.ts'
import { systemClock } from '../../../../../src/platform/clock.ts'
import { make } from '../../../../helpers/make.ts'
import { CLIENT, testContext, type TestContext } from '../../../../helpers/test-context.ts'

const HOUR = 60 * 60_000
const USERS = { users: [make.admin(), make.user()] }

/** What is told of the session of an actor, by both ways to listen. */
function heard({ services }: TestContext, { session }: SignedIn): string[] {
  const told: string[] = []
  services.sessionWatch.onRevoked(session, () => told.push('stop'))
  services.sessionWatch.onEnd(session, (end) => told.push(end))
  return told
}

/** Any change of the store: then sessions are looked at again. */
const touch = async ({ store }: TestContext) => {
  await store.update((draft) => void (draft.settings.signup = !draft.settings.signup))
}

describe('work of a session', () => {
  const ENDS: Readonly<Record<string, (context: TestContext, bob: SignedIn) => Promise<unknown>>> = {
    'signed out': async ({ services }, bob) => await services.auth.logout(bob),
    'revoked by somebody else': async ({ services }, bob) =>
      await services.sessions.revoke(OPERATOR, bob.session.family),
    'signed out everywhere': async ({ services }, bob) => await services.sessions.revokeAllOf(OPERATOR, bob.user.id),
    'given another password by an administrator': async ({ services }, bob) =>
      await services.users.setPassword(OPERATOR, bob.user.id, 'a new pass phrase'),
    'made an administrator': async ({ services }, bob) =>
      await services.users.update(OPERATOR, bob.user.id, { perm: { ...bob.user.perm, admin: true } }),
    deleted: async ({ services }, bob) => await services.users.remove(OPERATOR, bob.user.id),
  }

  it.each(Object.keys(ENDS))('is stopped when its user is %s', async (name) => {
    await using context = await testContext(USERS)
    const bob = await context.actor('bob')
    const others = heard(context, await context.actor('admin'))
    const told = heard(context, bob)
    await ENDS[name]?.(context, bob)
    expect(told).toEqual(['stop', 'revoked'])
    expect(others).toEqual([])
  })

  it('on an upload outlives the expiry of its session, and is stopped when that is revoked afterwards', async () => {
    await using context = await testContext(USERS)
    const { services, clock } = context
    const token = await context.login('bob')
    const { actor } = await services.auth.authenticate(token, CLIENT)
    await using _upload = await services.uploads.begin(actor, '/a.txt', { length: 3, override: false })
    clock.move(3 * HOUR)
    const late = (await services.auth.authenticateForUpload(token, CLIENT)).actor
    const told: string[] = []
    services.sessionWatch.onRevoked(late.session, () => told.push('stop'))
    await touch(context)
    expect(told).toEqual([])
    await services.sessions.revokeAllOf(OPERATOR, actor.user.id)
    expect(told).toEqual(['stop'])
  })

  it('goes on when its own user changes the password there, and stops on the other devices', async () => {
    await using context = await testContext(USERS)
    const [one, other] = [await context.actor('bob'), await context.actor('bob')]
    const [told, toldOther] = [heard(context, one), heard(context, other)]
    const how = { currentPassword: 'password of bob' }
    await context.services.users.setPassword(one, one.user.id, 'a new pass phrase', how)
    expect(toldOther).toEqual(['stop', 'revoked'])
    await touch(context)
    expect(told).toEqual([])
  })

  it('goes on when something else about its user changes', async () => {
    await using context = await testContext(USERS)
    const bob = await context.actor('bob')
    const told = heard(context, bob)
    await context.services.users.update(OPERATOR, bob.user.id, { locale: 'de' })
    expect(told).toEqual([])
  })

  it('goes on through a renewal and past the end of the token that began it', async () => {
    await using context = await testContext(USERS)
    const bob = await context.actor('bob')
    const told = heard(context, bob)
    context.clock.move(1.5 * HOUR)
    await context.services.auth.renew(bob, CLIENT)
    context.clock.move(HOUR)
    await touch(context)
    expect(told).toEqual([])
  })

  it('is stopped by a sign-out too when it was begun with a token that was just replaced', async () => {
    await using context = await testContext(USERS)
    const bob = await context.actor('bob')
    context.clock.move(2 * HOUR - 30_000)
    await context.services.auth.renew(bob, CLIENT)
    const told = heard(context, bob)
    context.clock.move(HOUR)
    await context.services.auth.logout(bob)
    expect(told).toEqual(['stop', 'revoked'])
  })

  it('that may outlive the time of its session is stopped only by what came after: a new password', async () => {
    await using context = await testContext(USERS)
    const bob = await context.actor('bob')
    const told = heard(context, bob)
    context.clock.move(3 * HOUR)
    // Sweeps the record of what is over.
    await context.login('admin')
    expect(told).toEqual(['expired'])
    await context.services.users.setPassword(OPERATOR, bob.user.id, 'a new pass phrase')
    expect(told).toEqual(['expired', 'stop', 'revoked'])
  })

  it('hears of the end of its time though nothing else happens', async () => {
    const clock = { ...systemClock, move: () => undefined }
    await using context = await testContext({ ...USERS, clock, options: { tokenExpirationTime: '1s' } })
    const { session } = await context.actor('bob')
    const end = new Promise((resolve) => context.services.sessionWatch.onEnd(session, resolve))
    await expect(end).resolves.toBe('expired')
  })

  it('that wants to hear no more does not', async () => {
    await using context = await testContext(USERS)
    const bob = await context.actor('bob')
    const told: string[] = []
    const stop = context.services.sessionWatch.onRevoked(bob.session, () => told.push('stop'))
    stop()
    await context.services.auth.logout(bob)
    expect(told).toEqual([])
  })
})
