import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../../../src/domain/accounts/actor.ts'
import { AUTH_METHODS } from '../../../../../src/domain/accounts/auth-method.ts'
import type { UserId } from '../../../../../src/domain/ids.ts'
import { errorLike } from '../../../../helpers/unit/error-like.ts'
import { make } from '../../../../helpers/make.ts'
import { CLIENT, testContext, type TestContext } from '../../../../helpers/test-context.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const UNAUTHENTICATED = errorLike('UNAUTHENTICATED')

const use = async ({ services }: TestContext, token: string) => await services.auth.authenticate(token, CLIENT)
const renew = async (context: TestContext, token: string) =>
  await context.services.auth.renew((await context.services.auth.authenticateToRenew(token, CLIENT)).actor, CLIENT)

describe('a token', () => {
  it('carries the claims that clients expect, and exactly two dots', async () => {
    await using context = await testContext()
    const token = await context.login('admin')
    const [header = '', payload = '', ...rest] = token.split('.')
    const decode = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
    expect(rest).toHaveLength(1)
    expect(decode(header)).toEqual({ alg: 'HS256', typ: 'JWT' })
    const iat = Math.floor(context.clock.now() / SECOND)
    expect(decode(payload)).toEqual({
      iss: 'filemgr',
      iat,
      exp: iat + 7200,
      sid: expect.stringMatching(/^[\w-]{22}$/) as string,
      jti: expect.stringMatching(/^[\w-]{32}$/) as string,
      user: {
        id: 1,
        locale: 'en',
        viewMode: 'mosaic',
        singleClick: false,
        redirectAfterCopyMove: true,
        perm: make.admin().perm,
        commands: [],
        lockPassword: false,
        hideDotfiles: false,
        dateFormat: false,
        username: 'admin',
        aceEditorTheme: '',
      },
    })
  })

  it('is refused when it is changed, cut, signed with another key or says it needs no signature', async () => {
    await using context = await testContext()
    await using other = await testContext()
    const token = await context.login('admin')
    const [header = '', payload = '', signature = ''] = token.split('.')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    const later = Buffer.from(payload, 'base64url')
      .toString()
      .replace(/"exp":\d+/, '"exp":9999999999')
    const forged = [
      'a.b.c',
      `${token}=`,
      `${header}.${payload}.`,
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${header}.${Buffer.from(later).toString('base64url')}.${signature}`,
      await other.login('admin'),
    ]
    for (const text of forged) await expect(use(context, text)).rejects.toEqual(UNAUTHENTICATED)
    await expect(use(context, token)).resolves.toMatchObject({ actor: { username: 'admin' } })
  })

  it('expires at the end of its lifetime', async () => {
    await using context = await testContext({ options: { tokenExpirationTime: '30m' } })
    const token = await context.login('admin')
    context.clock.move(30 * MINUTE - SECOND)
    await use(context, token)
    context.clock.move(SECOND)
    await expect(use(context, token)).rejects.toEqual(UNAUTHENTICATED)
  })

  it('asks to be renewed in its last hour', async () => {
    await using context = await testContext()
    const token = await context.login('admin')
    context.clock.move(HOUR - SECOND)
    expect((await use(context, token)).mustRenew).toBe(false)
    context.clock.move(SECOND)
    expect((await use(context, token)).mustRenew).toBe(true)
  })

  it('asks to be renewed when the user was changed in a later second', async () => {
    await using context = await testContext()
    const token = await context.login('admin')
    await context.services.users.update(OPERATOR, 1 as UserId, { locale: 'fr' })
    expect((await use(context, token)).mustRenew).toBe(false)
    context.clock.move(SECOND)
    await context.services.users.update(OPERATOR, 1 as UserId, { locale: 'de' })
    expect((await use(context, token)).mustRenew).toBe(true)
    expect((await use(context, await renew(context, token))).mustRenew).toBe(false)
  })

  it('stays good when the clock of the server is corrected by less than a minute', async () => {
    await using context = await testContext()
    const token = await context.login('admin')
    context.clock.move(-30 * SECOND)
    await expect(use(context, token)).resolves.toBeDefined()
  })
})

describe('a renewal', () => {
  it('leaves the old token good for a minute', async () => {
    await using context = await testContext()
    const old = await context.login('admin')
    const next = await renew(context, old)
    expect(next).not.toBe(old)
    context.clock.move(MINUTE - 1)
    await use(context, old)
    await use(context, next)
  })

  it('makes the old token worthless after that, and nothing else', async () => {
    await using context = await testContext()
    const old = await context.login('admin')
    const next = await renew(context, old)
    context.clock.move(MINUTE)
    await expect(use(context, old)).rejects.toEqual(UNAUTHENTICATED)
    await use(context, next)
  })

  it('with the old token after that ends the session, because somebody has a copy, and is in the activity log', async () => {
    await using context = await testContext()
    const old = await context.login('admin')
    const next = await renew(context, old)
    context.clock.move(MINUTE)
    await expect(renew(context, old)).rejects.toEqual(UNAUTHENTICATED)
    await expect(use(context, next)).rejects.toEqual(UNAUTHENTICATED)
    const { entries } = await context.services.audit.page(OPERATOR, {})
    expect(entries).toMatchObject([
      { who: 'admin', action: 'sessions.revoke', target: expect.stringContaining('replaced token') as string },
    ])
  })

  it('leaves other devices alone when a replay ends one', async () => {
    await using context = await testContext()
    const [stolen, other] = [await context.login('admin'), await context.login('admin')]
    await renew(context, stolen)
    context.clock.move(MINUTE)
    await expect(renew(context, stolen)).rejects.toEqual(UNAUTHENTICATED)
    await use(context, other)
  })

  it('does not give the old token more time when it is renewed twice', async () => {
    await using context = await testContext()
    const old = await context.login('admin')
    await renew(context, old)
    context.clock.move(MINUTE - 1)
    await renew(context, old)
    context.clock.move(1)
    await expect(use(context, old)).rejects.toEqual(UNAUTHENTICATED)
  })

  it('keeps two windows of an old page signed in for hours, although each renews its own token', async () => {
    await using context = await testContext()
    const first = await context.login('admin')
    // A page that is opened renews the token that it finds.
    const windows = [first, await renew(context, first)]
    for (let time = 0; time < 3 * HOUR; time += 50 * SECOND) {
      context.clock.move(50 * SECOND)
      for (const [index, token] of windows.entries()) {
        const { mustRenew } = await use(context, token)
        if (mustRenew) windows[index] = await renew(context, token)
      }
    }
    expect(context.sessions.all()).toHaveLength(1)
    expect(context.sessions.all()[0]?.replaced.length).toBeLessThan(3)
  })

  it('a hundred times a minute leaves one record, and little in it', async () => {
    await using context = await testContext()
    let token = await context.login('admin')
    for (let count = 0; count < 100; count += 1) token = await renew(context, token)
    expect(context.sessions.all()).toHaveLength(1)
    expect(context.sessions.all()[0]?.replaced.length).toBeLessThan(25)
  })

  it('keeps only hashes of the ids it replaced', async () => {
    await using context = await testContext()
    const token = await context.login('admin')
    const { id } = context.sessions.all()[0] ?? {}
    await renew(context, token)
    const [record] = context.sessions.all()
    expect(record?.replaced).toHaveLength(1)
    expect(JSON.stringify(record)).not.toContain(id)
    await expect(use(context, token)).resolves.toBeDefined()
  })

  it('by two windows at once leaves both signed in', async () => {
    await using context = await testContext({ store: 'json' })
    const old = await context.login('admin')
    const tokens = await Promise.all([renew(context, old), renew(context, old)])
    context.clock.move(2 * MINUTE)
    for (const token of tokens) await use(context, token)
  })

  it('cannot go on for longer than the settings say', async () => {
    await using context = await testContext({ settings: { sessionMaxAge: '5h' } })
    let token = await context.login('admin')
    for (let hours = 1; hours < 5; hours += 1) {
      context.clock.move(HOUR)
      token = await renew(context, token)
    }
    context.clock.move(HOUR - SECOND)
    // Renewing would change nothing, so the server does not ask for it.
    expect((await use(context, token)).mustRenew).toBe(false)
    context.clock.move(SECOND)
    await expect(use(context, token)).rejects.toEqual(UNAUTHENTICATED)
  })
})

describe('a clock that was wrong', () => {
  it('does not let a session live on that began in the future', async () => {
    await using context = await testContext()
    context.clock.move(365 * DAY)
    const token = await context.login('admin')
    context.clock.move(-365 * DAY)
    await expect(use(context, token)).rejects.toEqual(UNAUTHENTICATED)
  })

  it('does not keep anybody from signing in again after a step back', async () => {
    await using context = await testContext()
    await context.login('admin')
    context.clock.move(-DAY)
    await use(context, await context.login('admin'))
  })
})

describe('a session ends', () => {
  it.each(AUTH_METHODS.filter((method) => method !== 'noauth'))(
    'that was made without a password when the method is %s again',
    async (authMethod) => {
      await using context = await testContext({ settings: { authMethod: 'noauth' } })
      const token = await context.services.auth.passwordless(CLIENT)
      const { actor } = await use(context, token)
      const events: string[] = []
      context.services.actorWatch.onRefused(actor, () => events.push('stop'))
      await context.store.update((draft) => void (draft.settings.authMethod = authMethod))
      await expect(use(context, token)).rejects.toEqual(UNAUTHENTICATED)
      await expect(context.services.auth.renew(actor, CLIENT)).rejects.toEqual(UNAUTHENTICATED)
      await expect(context.services.auth.authenticateForUpload(token, CLIENT)).rejects.toEqual(UNAUTHENTICATED)
      expect(await context.services.auth.signedInUser(token)).toBeUndefined()
      expect(events).toEqual(['stop'])
    },
  )

  it('when its user signs out', async () => {
    await using context = await testContext()
    const [token, other] = [await context.login('admin'), await context.login('admin')]
    await context.services.auth.logout((await use(context, token)).actor)
    await expect(use(context, token)).rejects.toEqual(UNAUTHENTICATED)
    await use(context, other)
  })

  it('with its renewed tokens when it is revoked', async () => {
    await using context = await testContext({ users: [make.admin(), make.user()] })
    const old = await context.login('bob')
    const next = await renew(context, old)
    const admin = await context.actor('admin')
    const [device] = await context.services.sessions.list(admin, { userId: 2 as UserId })
    await context.services.sessions.revoke(admin, device?.id ?? '')
    for (const token of [old, next]) await expect(use(context, token)).rejects.toEqual(UNAUTHENTICATED)
  })

  it('everywhere else when the own password is changed', async () => {
    await using context = await testContext({ users: [make.admin(), make.user()] })
    const other = await context.login('bob')
    const bob = await context.actor('bob')
    const own = await context.services.auth.renew(bob, CLIENT)
    const credentials = { currentPassword: make.user().password }
    await context.services.users.setPassword(bob, bob.id, 'another passphrase', credentials)
    await expect(use(context, other)).rejects.toEqual(UNAUTHENTICATED)
    await use(context, own)
  })

  it('when an administrator sets another password', async () => {
    await using context = await testContext({ users: [make.admin(), make.user()] })
    const token = await context.login('bob')
    await context.services.users.setPassword(OPERATOR, 2 as UserId, 'another passphrase')
    await expect(use(context, token)).rejects.toEqual(UNAUTHENTICATED)
  })

  it('when its user is made an administrator or deleted', async () => {
    await using context = await testContext({ users: [make.admin(), make.user()] })
    const before = await context.login('bob')
    await context.services.users.update(OPERATOR, 2 as UserId, { perm: { admin: true } })
    await expect(use(context, before)).rejects.toEqual(UNAUTHENTICATED)
    const after = await context.login('bob')
    await context.services.users.remove(OPERATOR, 2 as UserId)
    await expect(use(context, after)).rejects.toEqual(UNAUTHENTICATED)
    expect(context.sessions.all()).toEqual([])
  })

  it('not when another permission or a preference changes', async () => {
    await using context = await testContext({ users: [make.admin(), make.user()] })
    const token = await context.login('bob')
    await context.services.users.update(OPERATOR, 2 as UserId, { perm: { create: false }, locale: 'fr' })
    expect((await use(context, token)).actor.user().perm.create).toBe(false)
  })
})
