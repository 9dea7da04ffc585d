import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { User } from '../../../src/domain/accounts/user.ts'
import type { GroupId, ProviderId } from '../../../src/domain/ids.ts'
import { LdapProvider as Schema, type LdapProvider } from '../../../src/domain/accounts/provider.ts'
import { defaultsOf } from '../../../src/domain/schema/schema-tools.ts'
import { Steps } from '../../../src/services/accounts/directories/directory-person.ts'
import { PEOPLE, PEOPLE_ACCESS, PEOPLE_LDIF, personDn, READER } from '../../helpers/directory-people.ts'
import { make } from '../../helpers/make.ts'
import { recordingLog } from '../../helpers/recording-log.ts'
import { startDirectory, type TestDirectory } from '../../helpers/slapd.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { CLIENT, testContext, type TestContext } from '../../helpers/test-context.ts'
import { errorLike } from '../../helpers/unit/error-like.ts'

let directory: TestDirectory
let base: LdapProvider
const cleanUp = new AsyncDisposableStack()

beforeAll(async () => {
  directory = cleanUp.use(await startDirectory(cleanUp.use(await tempFolder()), PEOPLE_LDIF, PEOPLE_ACCESS))
  base = {
    ...defaultsOf(Schema),
    type: 'ldap',
    id: 'studio' as ProviderId,
    name: 'Studio directory',
    createUsers: true,
    url: directory.url,
    caFile: directory.caFile,
    bindDn: READER.dn,
    secret: READER.password,
    baseDn: 'ou=people,dc=example,dc=org',
    groupBaseDn: 'ou=groups,dc=example,dc=org',
    userFilter: '(&(objectClass=inetOrgPerson)(|(uid={name})(mail={name})))',
    timeout: 20,
    mapping: [
      { claim: 'groups', value: 'staff', group: 'film' as GroupId },
      { claim: 'groups', value: 'cn=it-admins,ou=groups,dc=example,dc=org', administrator: true },
      { claim: 'employeeType', value: 'guest', quota: 5000 },
    ],
  }
})
afterAll(async () => await cleanUp.disposeAsync())

let context: TestContext
let log: ReturnType<typeof recordingLog>
beforeEach(async () => {
  log = recordingLog()
  context = await testContext({ users: [make.admin(), make.user()], log })
  return async () => await context[Symbol.asyncDispose]()
})

const use = async (...providers: Partial<LdapProvider>[]) =>
  await context.store.update((draft) => void (draft.providers = providers.map((fields) => ({ ...base, ...fields }))))

const proven = async (username: string, password: string, id = 'studio') =>
  await context.services.byDirectory.prove(id, { username, password }, CLIENT)

const login = async (username: string, password: string) =>
  await context.services.auth.login({ username, password }, CLIENT)

const accounts = () => context.store.snapshot().users
const accountNamed = (name: string): User | undefined => accounts().find(({ username }) => username === name)

describe('people of a directory', () => {
  it.each(Object.entries(PEOPLE).filter(([uid]) => !uid.startsWith('o(')))(
    '%j signs in with the password there, and is the same account each time',
    async (uid, password) => {
      await use({})
      const { user, way } = await proven(uid, password)
      expect(user).toMatchObject({ username: uid, passwordHash: '', lockPassword: true })
      expect(way).toEqual({ method: 'ldap', provider: 'studio' })
      expect(user.identities).toEqual([
        expect.objectContaining({
          issuer: 'ldap:studio',
          subject: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
          label: `Person ${uid}`,
        }),
      ])
      expect((await proven(` ${uid.toUpperCase()} `, password)).user.id).toBe(user.id)
    },
  )

  it('are told why an account cannot have their name', async () => {
    await use({})
    const uid = 'o(brien)\\,=+'
    await expect(proven(uid, PEOPLE[uid])).rejects.toThrow('there is no account of this name, and none can be made')
  })

  it.each([
    ['ann', 'y'],
    ['ann', ''],
    ['', 'x'],
    ['ann', ' x'],
    ['nobody', 'x'],
    ['*', 'x'],
    ['a*', 'x'],
    ['ann)(uid=*', 'x'],
    ['*)(objectClass=*', 'x'],
    ['ann\u00ad', 'x'],
    ['ann\u0000', 'x'],
    ['reader', READER.password],
    [READER.dn, READER.password],
    // Two entries have this address.
    ['twins@example.org', 'twin'],
  ])('are refused as %j with the password %j', async (username, password) => {
    await use({})
    await expect(proven(username, password)).rejects.toThrow(errorLike('WRONG_CREDENTIALS'))
    await expect(login(username, password)).rejects.toThrow(errorLike('WRONG_CREDENTIALS'))
    expect(accounts()).toHaveLength(2)
  })

  it('have the groups, the permission and the quota that the directory gives now', async () => {
    await use({})
    const ann = (await proven('ann', PEOPLE.ann)).user
    expect(ann.perm.admin).toBe(false)
    expect(ann.identities?.[0]?.groups).toEqual(['film'])
    const boss = (await proven('boss', PEOPLE.boss)).user
    expect(boss.perm.admin).toBe(true)
    expect((await proven('max*', PEOPLE['max*'])).user).toMatchObject({ quota: 5000 })
    await directory.modify(
      `dn: cn=it-admins,ou=groups,dc=example,dc=org\nchangetype: modify\nreplace: member\nmember: ${personDn('ann')}\n`,
    )
    expect((await proven('boss', PEOPLE.boss)).user.perm.admin).toBe(false)
    expect((await proven('ann', PEOPLE.ann)).user.perm.admin).toBe(true)
    await directory.modify(
      `dn: cn=it-admins,ou=groups,dc=example,dc=org\nchangetype: modify\nreplace: member\nmember: ${personDn('boss')}\n`,
    )
  })

  it('keep an administrator, even if the directory would leave none', async () => {
    await use({})
    const boss = (await proven('boss', PEOPLE.boss)).user
    await context.store.update((draft, { users }) => {
      draft.users = users.map((user) =>
        user.id === boss.id ? user : { ...user, perm: { ...user.perm, admin: false } },
      )
    })
    await use({ mapping: [{ claim: 'groups', value: 'nobody', administrator: true }] })
    expect((await proven('boss', PEOPLE.boss)).user.perm.admin).toBe(true)
  })

  it.each([
    ['by memberOf', { groupFilter: '' }, 'cn=staff,ou=groups,dc=example,dc=org'],
    ['by a filter with a rule of matching', { groupFilter: '(member:2.5.13.1:={dn})' }, 'staff'],
  ])('have their groups %s', async (_, fields, value) => {
    await directory.modify(
      `dn: cn=staff,ou=groups,dc=example,dc=org\nchangetype: modify\nreplace: member\nmember: ${personDn('ann')}\nmember: ${personDn('boss')}\n`,
    )
    await use({ ...fields, mapping: [{ claim: 'groups', value, group: 'staff' as GroupId }] })
    expect((await proven('ann', PEOPLE.ann)).user.identities?.[0]?.groups).toEqual(['staff'])
    expect((await proven('müller', PEOPLE.müller)).user.identities?.[0]?.groups).toEqual([])
  })

  it('are known by what never changes, not by their name', async () => {
    await use({
      subjectAttribute: 'objectGUID',
      usernameClaim: 'sAMAccountName',
      userFilter: '(sAMAccountName={name})',
    })
    const { user } = await proven('ANN', PEOPLE.ann)
    expect(user.identities?.[0]?.subject).toBe('00112233-4455-6677-8899-001122334400')
    await directory.modify(
      `dn: ${personDn('ann')}\nchangetype: modify\nreplace: sAMAccountName\nsAMAccountName: anna\n`,
    )
    expect((await proven('anna', PEOPLE.ann)).user).toMatchObject({ id: user.id, username: 'ann' })
    await directory.modify(`dn: ${personDn('ann')}\nchangetype: modify\nreplace: sAMAccountName\nsAMAccountName: ann\n`)
  })

  it('bind themselves where no account searches', async () => {
    await use({
      bindDn: 'uid={name},ou=people,dc=example,dc=org',
      secret: '',
      userFilter: '(uid={name})',
      groupFilter: '',
    })
    expect((await proven('ann', PEOPLE.ann)).user.username).toBe('ann')
    await expect(proven('ann', 'y')).rejects.toThrow(errorLike('WRONG_CREDENTIALS'))
    await expect(proven('ann,ou=people', PEOPLE.ann)).rejects.toThrow(errorLike('WRONG_CREDENTIALS'))
    // What binds is one entry, and what is found is another: it needs its own password.
    await use({ bindDn: 'uid={name},ou=people,dc=example,dc=org', userFilter: '(&(uid=boss)(!(uid={name})))' })
    await expect(proven('ann', PEOPLE.ann)).rejects.toThrow(errorLike('WRONG_CREDENTIALS'))
  })

  it('are never taken for the account of their name', async () => {
    await use({})
    await context.store.update((draft, { users }) => {
      draft.users = users.map((user) =>
        user.username === 'bob' ? { ...user, username: 'ann', passwordHash: '' } : user,
      )
    })
    await expect(proven('ann', PEOPLE.ann)).rejects.toThrow('another account is called "ann" already')
    await expect(login('ann', PEOPLE.ann)).rejects.toThrow(errorLike('FORBIDDEN'))
  })

  it('need an account where the directory makes none', async () => {
    await use({ createUsers: false })
    await expect(proven('ann', PEOPLE.ann)).rejects.toThrow('but you have no account here')
  })

  it('stay out if their account is disabled, or once they are gone from the directory', async () => {
    await use({})
    const { user } = await proven('müller', PEOPLE.müller)
    await context.store.update((draft, { users }) => {
      draft.users = users.map((each) => (each.id === user.id ? { ...each, disabled: true } : each))
    })
    await expect(login('müller', PEOPLE.müller)).rejects.toThrow('this account is disabled')
    await login('max*', PEOPLE['max*'])
    await directory.modify(`dn: ${personDn('max*')}\nchangetype: modify\nreplace: uid\nuid: max*\nuid: gone\n`)
    await use({ userFilter: '(&(uid={name})(!(uid=gone)))' })
    await expect(login('max*', PEOPLE['max*'])).rejects.toThrow(errorLike('WRONG_CREDENTIALS'))
    await directory.modify(`dn: ${personDn('max*')}\nchangetype: modify\nreplace: uid\nuid: max*\n`)
  })

  it.each([
    ['entryUUID', '(&(uid={name})(!(employeeType=left)))'],
    ['objectGUID', '(&(sAMAccountName={name})(!(employeeType=left)))'],
  ])('lose their session within the hour once they have left, known by %s', async (subjectAttribute, userFilter) => {
    await use({ subjectAttribute, userFilter })
    const tokens = [await login('ann', PEOPLE.ann), await login('boss', PEOPLE.boss)]
    const local = await context.login('admin')
    const admitted = async () =>
      await Promise.all(
        [...tokens, local].map(async (token) => (await context.services.auth.signedInUser(token))?.username),
      )
    const { sweep } = context.services.leftPeople
    await sweep(new AbortController().signal)
    expect(await admitted()).toEqual(['ann', 'boss', 'admin'])
    const change = (type: string) =>
      `dn: ${personDn('ann')}\nchangetype: modify\nreplace: employeeType\nemployeeType: ${type}\n`
    await directory.modify(change('left'))
    await use({ subjectAttribute, userFilter, url: 'ldap://127.0.0.1:1' })
    await sweep(new AbortController().signal)
    expect(await admitted()).toEqual(['ann', 'boss', 'admin'])
    await use({ subjectAttribute, userFilter })
    await sweep(new AbortController().signal)
    expect(await admitted()).toEqual([undefined, 'boss', 'admin'])
    await directory.modify(change('staff'))
  })

  it('lose their session when the directory is switched off', async () => {
    await use({})
    const token = await login('ann', PEOPLE.ann)
    expect((await context.services.auth.authenticate(token, CLIENT)).actor.session.provider).toBe('studio')
    await use({ enabled: false })
    await expect(context.services.auth.authenticate(token, CLIENT)).rejects.toThrow(errorLike('UNAUTHENTICATED'))
    await expect(proven('ann', PEOPLE.ann)).rejects.toThrow(errorLike('NOT_FOUND'))
  })
})

describe('signing in by the form', () => {
  it('asks the directories in order, but only for names without a password here', async () => {
    await use({ id: 'guests' as ProviderId, baseDn: 'ou=groups,dc=example,dc=org' }, {})
    const token = await login('ann', PEOPLE.ann)
    expect((await context.services.auth.authenticate(token, CLIENT)).actor.session).toMatchObject({
      method: 'ldap',
      provider: 'studio',
    })
    expect(accountNamed('ann')).toBeDefined()
    await context.store.update((draft, { users }) => {
      draft.users = users.map((user) => (user.username === 'bob' ? { ...user, username: 'Boss' } : user))
    })
    await expect(login('boss', PEOPLE.boss)).rejects.toThrow(errorLike('WRONG_CREDENTIALS'))
  })

  it('says that a directory is away, whatever the password, unless another one knows the person', async () => {
    const away = { id: 'away' as ProviderId, name: 'Old directory', url: 'ldap://127.0.0.1:1' }
    await use(away)
    await expect(login('ann', PEOPLE.ann)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'Old directory does not answer; try again later',
      details: { retryAfter: 10 },
    })
    await use(away, {})
    await login('ann', PEOPLE.ann)
    await expect(login('ann', 'y')).rejects.toThrow(errorLike('UNAVAILABLE'))
    await expect(login('admin', 'y')).rejects.toThrow(errorLike('WRONG_CREDENTIALS'))
  })
})

describe('attempts to guess a password of a directory', () => {
  it('are limited by the name, also if another directory is away', async () => {
    await use({ id: 'away' as ProviderId, url: 'ldap://127.0.0.1:1' }, {})
    const tries: unknown[] = []
    for (let count = 0; count < 6; count += 1) tries.push(await login('ann', 'y').catch((error: unknown) => error))
    expect(tries.at(-2)).toMatchObject({ code: 'UNAVAILABLE' })
    expect(tries.at(-1)).toMatchObject({ code: 'RATE_LIMITED' })
    await expect(proven('ann', PEOPLE.ann)).rejects.toThrow(errorLike('RATE_LIMITED'))
  })

  it('are limited by the person, however the name is written', async () => {
    await use({})
    const spellings = ['boss', 'person4@example.org', 'PERSON4@example.org', 'boss', 'boss']
    for (const name of spellings) await expect(proven(name, 'y')).rejects.toThrow(errorLike('WRONG_CREDENTIALS'))
    await expect(proven('person4@example.org', PEOPLE.boss)).rejects.toThrow(errorLike('RATE_LIMITED'))
  })

  it('are not counted while the directory does not answer', async () => {
    await use({ url: 'ldap://127.0.0.1:1' })
    for (let count = 0; count < 7; count += 1)
      await expect(proven('ann', 'y')).rejects.toThrow(errorLike('UNAVAILABLE'))
  })
})

describe('a directory that does not work', () => {
  it.each([
    ['another authority', () => ({ caFile: import.meta.filename }), /certificate|cannot be reached/],
    ['no file with the authority', () => ({ caFile: '/nowhere/ca.pem' }), /cannot be read: \/nowhere\/ca\.pem/],
    ['a wrong password of the account that searches', () => ({ secret: 'y' }), /refuses the account that searches/],
    ['a base that is not there', () => ({ baseDn: 'ou=nowhere,dc=example,dc=org' }), /cannot search/],
    ['a base elsewhere', () => ({ baseDn: 'ou=elsewhere,dc=example,dc=org' }), /a referral to another server/],
    ['an attribute that nobody has', () => ({ subjectAttribute: 'objectGUID2' }), /has not exactly one objectGUID2/],
    ['an attribute that must not be read', () => ({ subjectAttribute: 'userPassword' }), /has not exactly one/],
    ['groups elsewhere', () => ({ groupBaseDn: 'ou=elsewhere,dc=example,dc=org' }), /a referral to another server/],
  ])('lets nobody in: %s', async (_, fields, problem) => {
    await use(fields())
    await expect(proven('ann', PEOPLE.ann)).rejects.toThrow('Studio directory does not answer; try again later')
    const steps = new Steps()
    const provider = { ...base, ...fields() }
    const credentials = { username: 'ann', password: PEOPLE.ann }
    await expect(context.services.byDirectory.find(provider, credentials, steps)).rejects.toThrow(problem)
    expect(accounts()).toHaveLength(2)
  })

  it('is named in the log, without any password', async () => {
    await use({ secret: 'wrong secret' })
    await expect(proven('ann', PEOPLE.boss)).rejects.toThrow(errorLike('UNAVAILABLE'))
    const lines = JSON.stringify(log.lines)
    expect(lines).toContain('refuses the account that searches')
    expect(lines).not.toContain('wrong secret')
    expect(lines).not.toContain(PEOPLE.boss)
  })
})
