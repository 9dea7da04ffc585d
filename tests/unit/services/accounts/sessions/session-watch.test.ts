import { describe, expect, it } from 'vitest'
import { OPERATOR, type SignedIn } from '../../../../../src/domain/accounts/actor.ts'
import { systemClock } from '../../../../../src/platform/clock.ts'
import { make } from '../../../../helpers/make.ts'
import { CLIENT, testContext, type TestContext } from '../../../../helpers/test-context.ts'

const HOUR = 60 * 60_000
const USERS = { users: [make.admin(), make.user()] }

/** Records what both kinds of listeners hear of the session of an actor. */
function recordEvents({ services }: TestContext, actor: SignedIn): string[] {
  const events: string[] = []
  services.sessionWatch.onEnd(actor.session, (end) => events.push(end))
  services.actorWatch.onRefused(actor, () => events.push('stop'))
  return events
}

/** Changes the store, which makes the service check all sessions again. */
const touch = async ({ store }: TestContext) => {
  await store.update((draft) => void (draft.settings.signup = !draft.settings.signup))
}

describe('work of a session', () => {
  const ENDS: Readonly<Record<string, (context: TestContext, bob: SignedIn) => Promise<unknown>>> = {
    'signed out': async ({ services }, bob) => await services.auth.logout(bob),
    'revoked by somebody else': async ({ services }, bob) =>
      await services.sessions.revoke(OPERATOR, bob.session.family),
    'signed out everywhere': async ({ services }, bob) => await services.sessions.revokeAllOf(OPERATOR, bob.id),
    'given another password by an administrator': async ({ services }, bob) =>
      await services.users.setPassword(OPERATOR, bob.id, 'a new pass phrase'),
    'made an administrator': async ({ services }, bob) =>
      await services.users.update(OPERATOR, bob.id, { perm: { ...bob.user().perm, admin: true } }),
    disabled: async ({ services }, bob) => await services.users.update(OPERATOR, bob.id, { disabled: true }),
    'disabled in the store by another process': async ({ store }, bob) =>
      await store.update((draft, { users }) => {
        draft.users = users.map((user) => (user.id === bob.id ? { ...user, disabled: true } : user))
      }),
    deleted: async ({ services }, bob) => await services.users.remove(OPERATOR, bob.id),
  }

  it.each(Object.keys(ENDS))('is stopped when its user is %s', async (name) => {
    await using context = await testContext(USERS)
    const bob = await context.actor('bob')
    const others = recordEvents(context, await context.actor('admin'))
    const events = recordEvents(context, bob)
    await ENDS[name]?.(context, bob)
    expect(events).toEqual(['revoked', 'stop'])
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
    const events: string[] = []
    services.actorWatch.onRefused(late, () => events.push('stop'))
    await touch(context)
    expect(events).toEqual([])
    await services.sessions.revokeAllOf(OPERATOR, actor.id)
    expect(events).toEqual(['stop'])
  })

  it('continues where its user changes the password, and stops on the other devices', async () => {
    await using context = await testContext(USERS)
    const [one, other] = [await context.actor('bob'), await context.actor('bob')]
    const [events, eventsOfOther] = [recordEvents(context, one), recordEvents(context, other)]
    const credentials = { currentPassword: 'password of bob' }
    await context.services.users.setPassword(one, one.id, 'a new pass phrase', credentials)
    expect(eventsOfOther).toEqual(['revoked', 'stop'])
    await touch(context)
    expect(events).toEqual([])
  })

  it('continues when something else about its user changes', async () => {
    await using context = await testContext(USERS)
    const bob = await context.actor('bob')
    const events = recordEvents(context, bob)
    await context.services.users.update(OPERATOR, bob.id, { locale: 'de' })
    expect(events).toEqual([])
  })

  it('continues through a renewal and past the end of the token that began it', async () => {
    await using context = await testContext(USERS)
    const bob = await context.actor('bob')
    const events = recordEvents(context, bob)
    context.clock.move(1.5 * HOUR)
    await context.services.auth.renew(bob, CLIENT)
    context.clock.move(HOUR)
    await touch(context)
    expect(events).toEqual([])
  })

  it('is stopped by a sign-out too when it was begun with a token that was just replaced', async () => {
    await using context = await testContext(USERS)
    const bob = await context.actor('bob')
    context.clock.move(2 * HOUR - 30_000)
    await context.services.auth.renew(bob, CLIENT)
    const events = recordEvents(context, bob)
    context.clock.move(HOUR)
    await context.services.auth.logout(bob)
    expect(events).toEqual(['revoked', 'stop'])
  })

  it('that may outlive it continues when it expires, and is stopped by a new password afterwards', async () => {
    await using context = await testContext(USERS)
    const bob = await context.actor('bob')
    const events = recordEvents(context, bob)
    context.clock.move(3 * HOUR)
    // A sign-in removes the records of sessions that are over.
    await context.login('admin')
    expect(events).toEqual(['expired'])
    await context.services.users.setPassword(OPERATOR, bob.id, 'a new pass phrase')
    expect(events).toEqual(['expired', 'revoked', 'stop'])
  })

  it('is told that its session expired even if nothing else happens', async () => {
    const clock = { ...systemClock, move: () => undefined }
    // Tokens count whole seconds, so one of a single second may expire at once.
    await using context = await testContext({ ...USERS, clock, options: { tokenExpirationTime: '2s' } })
    const { session } = await context.actor('bob')
    const end = new Promise((resolve) => context.services.sessionWatch.onEnd(session, resolve))
    await expect(end).resolves.toBe('expired')
  })

  it('is told nothing after it has unsubscribed', async () => {
    await using context = await testContext(USERS)
    const bob = await context.actor('bob')
    const events: string[] = []
    const stop = context.services.actorWatch.onRefused(bob, () => events.push('stop'))
    stop()
    await context.services.auth.logout(bob)
    expect(events).toEqual([])
  })
})
