import { describe, expect, it } from 'vitest'
import { type OidcProvider, OidcProvider as Schema } from '../../../../../src/domain/accounts/provider.ts'
import type { GroupId, ProviderId } from '../../../../../src/domain/ids.ts'
import { defaultsOf } from '../../../../../src/domain/schema/schema-tools.ts'
import type { Person } from '../../../../../src/services/accounts/providers/provider-sign-in.ts'
import { make } from '../../../../helpers/make.ts'
import { CLIENT, testContext, type TestContext } from '../../../../helpers/test-context.ts'
import { errorLike } from '../../../../helpers/unit/error-like.ts'

const SSO: OidcProvider = {
  ...defaultsOf(Schema),
  type: 'oidc',
  id: 'sso' as ProviderId,
  name: 'Example SSO',
  issuer: 'https://sso.example.org',
  clientId: 'filemgr',
  createUsers: true,
  mapping: [
    { claim: 'groups', value: 'film-crew', group: 'film' as GroupId },
    { claim: 'groups', value: 'it', administrator: true },
    { claim: 'plan', value: 'big', quota: 5000 },
  ],
}

const person = (subject: string, fields: Partial<Person> = {}): Person => ({
  provider: SSO,
  subject,
  username: subject,
  label: `${subject}@example.org`,
  claims: {},
  ...fields,
})

async function withProvider(provider: OidcProvider = SSO): Promise<TestContext> {
  const context = await testContext({ users: [make.admin(), make.user()] })
  await context.store.update((draft) => void (draft.providers = [provider]))
  return context
}

describe('the account of a person at a provider', () => {
  it('is made once, with what the claims give, and cannot sign in with a password', async () => {
    await using context = await withProvider()
    const { providerSignIn, auth } = context.services
    const claims = { groups: ['film-crew', 'others'], plan: ['big'] }
    const made = await providerSignIn.userOf(person('maya', { claims }))
    expect(made).toMatchObject({ username: 'maya', quota: 5000, lockPassword: true, passwordHash: '' })
    expect(made.perm.admin).toBe(false)
    expect(made.identities).toEqual([
      expect.objectContaining({ issuer: SSO.issuer, subject: 'maya', groups: ['film'], label: 'maya@example.org' }),
    ])
    await expect(auth.login({ username: 'maya', password: '' }, CLIENT)).rejects.toThrow(errorLike('WRONG_CREDENTIALS'))
    const again = await providerSignIn.userOf(person('maya', { username: 'renamed there' }))
    expect(again.id).toBe(made.id)
    expect(again.username).toBe('maya')
    expect(again.identities?.[0]?.groups).toEqual([])
  })

  it('is never found by its name', async () => {
    await using context = await withProvider()
    const { providerSignIn } = context.services
    await expect(providerSignIn.userOf(person('1', { username: 'admin' }))).rejects.toThrow(
      'another account is called "admin" already',
    )
    await expect(providerSignIn.userOf(person('1', { username: 'Admin' }))).rejects.toThrow(errorLike('FORBIDDEN'))
    await providerSignIn.userOf(person('2', { username: 'maya' }))
    await expect(providerSignIn.userOf(person('3', { username: 'maya' }))).rejects.toThrow(errorLike('FORBIDDEN'))
  })

  it('is another one for the same subject at another issuer', async () => {
    await using context = await withProvider()
    const { providerSignIn } = context.services
    const maya = await providerSignIn.userOf(person('maya'))
    const other = { ...SSO, issuer: 'https://elsewhere.example' }
    await expect(providerSignIn.userOf(person('maya', { provider: other }))).rejects.toThrow('switched off')
    await context.store.update((draft) => void (draft.providers = [other]))
    const stranger = await providerSignIn.userOf(person('maya', { provider: other, username: 'maya2' }))
    expect(stranger.id).not.toBe(maya.id)
  })

  it('is refused where the provider makes no accounts, also if that changes while somebody signs in', async () => {
    await using context = await withProvider({ ...SSO, createUsers: false })
    const { providerSignIn } = context.services
    const refused = 'you have no account here'
    await expect(providerSignIn.userOf(person('maya', { provider: SSO }))).rejects.toThrow(refused)
    await context.store.update((draft) => void (draft.providers = []))
    await expect(providerSignIn.userOf(person('maya'))).rejects.toThrow('switched off')
  })

  it('follows the claims: administrators come and go, but the last one stays', async () => {
    await using context = await withProvider()
    const { providerSignIn } = context.services
    const it = { claims: { groups: ['it'] } }
    expect((await providerSignIn.userOf(person('maya', it))).perm.admin).toBe(true)
    expect((await providerSignIn.userOf(person('maya'))).perm.admin).toBe(false)
    await providerSignIn.userOf(person('maya', it))
    await context.store.update((draft, now) => {
      draft.users = now.users.map((user) => (user.id === 1 ? { ...user, disabled: true } : user))
    })
    expect((await providerSignIn.userOf(person('maya'))).perm.admin).toBe(true)
  })

  it('has sessions that end when the provider is switched off', async () => {
    await using context = await withProvider()
    const { providerSignIn, auth } = context.services
    const user = await providerSignIn.userOf(person('maya'))
    const token = await auth.signIn(user, { method: 'oidc', provider: SSO.id }, CLIENT)
    await expect(auth.authenticate(token, CLIENT)).resolves.toBeDefined()
    await context.store.update((draft) => void (draft.providers = [{ ...SSO, enabled: false }]))
    await expect(auth.authenticate(token, CLIENT)).rejects.toThrow(errorLike('UNAUTHENTICATED'))
  })

  it('is one account only: a store in which two have the same person is refused', async () => {
    await using context = await withProvider()
    const { identities = [] } = await context.services.providerSignIn.userOf(person('maya'))
    const copied = context.store.update((draft, now) => {
      draft.users = now.users.map((user) => (user.id === 1 ? { ...user, identities } : user))
    })
    await expect(copied).rejects.toThrow('is the same person as users/0/identities')
  })
})
