import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../../src/domain/accounts/actor.ts'
import type { GroupId, UserId } from '../../../../src/domain/ids.ts'
import type { Rule } from '../../../../src/domain/access/rule.ts'
import { ROOT } from '../../../../src/domain/files/virtual-path.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'
import { make } from '../../../helpers/make.ts'
import { testContext, type TestContext } from '../../../helpers/test-context.ts'

const deny = (path: string): Rule => ({ regex: false, allow: false, path, regexp: null })
const allow = (path: string): Rule => ({ ...deny(path), allow: true })
const BOB = 2 as UserId
const EVE = 3 as UserId
const USERS = [
  make.admin(),
  make.user({ perm: { create: false, download: false, share: false } }),
  make.user({ username: 'eve' }),
]

async function withGroup(context: TestContext, fields: object = {}, members = [BOB]) {
  const { groups } = context.services
  const { id } = await groups.create(OPERATOR, { name: 'Readers', ...fields })
  return await groups.changeMembers(OPERATOR, id, { add: members })
}

describe('a group', () => {
  it('is made without anything, gets values one by one, and is gone with what it gave', async () => {
    await using context = await testContext({ users: USERS })
    const { groups } = context.services
    const made = await groups.create(OPERATOR, { name: '  Film crew ' })
    expect(made).toMatchObject({ name: 'Film crew', rules: [], quota: 0, members: [] })
    expect(Object.values(made.perm)).not.toContain(true)
    await groups.change(OPERATOR, made.id, { perm: { create: true }, rules: [deny('/x')] })
    const changed = await groups.change(OPERATOR, made.id, { perm: { share: true }, quota: 5 })
    expect(changed).toMatchObject({ perm: { create: true, share: true }, rules: [deny('/x')], quota: 5 })
    await groups.changeMembers(OPERATOR, made.id, { add: [BOB, EVE, BOB] })
    const { members } = await groups.changeMembers(OPERATOR, made.id, { remove: [EVE] })
    expect(members).toEqual([{ id: BOB, username: 'bob', by: 'hand' }])
    expect(groups.list(OPERATOR)).toMatchObject([{ name: 'Film crew', members: 1 }])
    await groups.remove(OPERATOR, made.id)
    expect(groups.list(OPERATOR)).toEqual([])
    expect(() => groups.get(OPERATOR, made.id)).toThrow(errorLike('NOT_FOUND'))
  })

  it('has a name of its own that cannot be mistaken, and rules and members that exist', async () => {
    await using context = await testContext({ users: USERS })
    const { groups } = context.services
    const { id } = await groups.create(OPERATOR, { name: 'Readers' })
    await expect(groups.create(OPERATOR, { name: 'READERS' })).rejects.toThrow(errorLike('CONFLICT'))
    await groups.change(OPERATOR, id, { name: 'readers' })
    for (const name of ['', ' ', 'a,b', 'id:7', 'a\nb'])
      await expect(groups.create(OPERATOR, { name })).rejects.toThrow(errorLike('INVALID_INPUT'))
    const broken = [{ ...deny(''), regex: true, regexp: { raw: '(' } }]
    await expect(groups.change(OPERATOR, id, { rules: broken })).rejects.toThrow(errorLike('INVALID_INPUT'))
    await expect(groups.changeMembers(OPERATOR, id, { add: [BOB, 99 as UserId] })).rejects.toThrow(
      errorLike('NOT_FOUND'),
    )
    expect(groups.get(OPERATOR, id)).toMatchObject({ name: 'readers', rules: [], members: [] })
    expect(groups.find('READERS').id).toBe(id)
    expect(groups.find(`id:${id}`).id).toBe(id)
  })

  it('loses a member who is deleted, also by an import that replaces all accounts', async () => {
    await using context = await testContext({ users: USERS })
    const { services, store } = context
    await withGroup(context, {}, [1 as UserId, BOB, EVE])
    await services.users.remove(OPERATOR, EVE)
    expect(store.snapshot().groups[0]?.members).toEqual([1, BOB])
    const list = services.userTransfer.export(OPERATOR).filter(({ username }) => username !== 'bob')
    await services.userTransfer.import(OPERATOR, list, { overwrite: false, replace: true })
    expect(store.snapshot().groups[0]?.members).toEqual([1])
  })

  it('is managed by administrators only', async () => {
    await using context = await testContext({ users: USERS })
    const { groups } = context.services
    const { id } = await withGroup(context, { perm: { create: true } })
    const bob = await context.actor('bob')
    const tries = [
      () => groups.list(bob),
      () => groups.get(bob, id),
      async () => await groups.create(bob, { name: 'mine' }),
      async () => await groups.change(bob, id, { perm: { delete: true } }),
      async () => await groups.changeMembers(bob, id, { add: [BOB] }),
      async () => await groups.remove(bob, id),
    ]
    for (const attempt of tries) await expect((async () => await attempt())()).rejects.toThrow(errorLike('FORBIDDEN'))
  })
})

describe('what groups give', () => {
  it('decides in work that is running, and the stored account stays as it is', async () => {
    await using context = await testContext({ users: USERS, files: { 'a.txt': 'a' } })
    const { access, groups } = context.services
    const before = context.store.snapshot().users[1]
    const bob = await context.actor('bob')
    using files = await access.at(bob, '/')
    expect(() => files.require('files.create', ROOT)).toThrow(errorLike('FORBIDDEN'))
    const { id } = await withGroup(context, { perm: { create: true } })
    files.require('files.create', ROOT)
    await groups.changeMembers(OPERATOR, id, { remove: [BOB] })
    expect(() => files.requireStill()).toThrow(errorLike('FORBIDDEN'))
    expect(context.store.snapshot().users[1]).toEqual(before)
  })

  it('is explained by the name of the group: permissions, what is denied, and rules', async () => {
    await using context = await testContext({ users: USERS, files: { 'docs/a.txt': 'a', 'docs/b.txt': 'b' } })
    const { rules, users } = context.services
    await withGroup(context, { perm: { download: true, create: true }, rules: [allow('/docs'), deny('/docs/b.txt')] })
    await users.update(OPERATOR, BOB, { denied: ['create'] })
    const why = async (action: 'download' | 'create', path: string) =>
      await rules.explain(OPERATOR, { userId: BOB, action, path })
    expect(await why('download', '/docs/a.txt')).toMatchObject({
      allowed: true,
      by: [{ permission: 'download', group: 'Readers' }],
      rule: { list: 'group', group: 'Readers', index: 0, rule: allow('/docs') },
    })
    expect(await why('download', '/docs/b.txt')).toMatchObject({
      allowed: false,
      obstacles: [{ kind: 'rule', message: 'rule 1 of the group Readers (/docs/b.txt) denies /docs/b.txt' }],
    })
    expect(await why('create', '/docs/new')).toMatchObject({
      by: [],
      obstacles: [{ kind: 'permission', message: 'the permission "create" is denied to this user' }],
    })
  })

  it('comes after the rules for all users and before those of the account', async () => {
    const users = [make.admin(), make.user({ rules: [allow('/b')] })]
    await using context = await testContext({ users, settings: { rules: [allow('/a'), deny('/c')] } })
    await withGroup(context, { rules: [deny('/a'), deny('/b'), allow('/c')] })
    using files = await context.services.access.at(await context.actor('bob'), '/')
    expect(['/a', '/b', '/c'].map((path) => files.allows(files.pathOf(path)))).toEqual([false, true, true])
  })

  it('is left to programs with a token as far as the token says', async () => {
    await using context = await testContext({ users: USERS })
    const { apiTokens, groups } = context.services
    const order = { name: 'script', permissions: ['create' as const] }
    await expect(apiTokens.create(OPERATOR, order, { owner: BOB })).rejects.toThrow(errorLike('FORBIDDEN'))
    const { id } = await withGroup(context, { perm: { create: true, download: true }, rules: [deny('/x')] })
    const { token } = await apiTokens.create(OPERATOR, order, { owner: BOB })
    const actor = await apiTokens.authenticate(token, { address: '127.0.0.1', userAgent: '' })
    expect(actor.user().perm).toMatchObject({ create: true, download: false })
    using files = await context.services.access.at(actor, '/')
    expect(files.allows(files.pathOf('/x'))).toBe(false)
    await groups.remove(OPERATOR, id)
    expect(actor.user().perm.create).toBe(false)
  })

  it('limits the quota, in the list of quotas too', async () => {
    await using context = await testContext({ users: USERS, files: { 'a.txt': 'abc' } })
    const { quotas } = context.services
    await withGroup(context, { quota: 10 })
    expect(await quotas.list(OPERATOR)).toMatchObject([
      { username: 'bob', limit: { bytes: 10, files: 0 }, by: ['Readers'] },
    ])
    expect(await quotas.recount(OPERATOR, BOB)).toMatchObject({ used: { bytes: 3, files: 1 } })
    using files = await context.services.access.at(await context.actor('bob'), '/')
    await expect(quotas.reserve(files.user, files.pathOf('/b'), { bytes: 8, files: 1 })).rejects.toThrow(
      errorLike('QUOTA_EXCEEDED'),
    )
  })

  it('is shown with the account to administrators; users learn only what they may do', async () => {
    await using context = await testContext({ users: USERS })
    const { id } = await withGroup(context, { perm: { create: true }, quota: 10 })
    const { users } = context.services
    const [admin, bob] = [await context.actor('admin'), await context.actor('bob')]
    const effective = { perm: { create: true }, quota: 10 }
    const shown = { perm: { create: false }, groups: [{ id, name: 'Readers' }], effective }
    expect(await users.get(admin, BOB)).toMatchObject(shown)
    expect((await users.list(admin)).map(({ groups }) => groups?.length)).toEqual([undefined, 1, undefined])
    const own = await users.get(bob, BOB)
    expect(own).toMatchObject({ effective })
    expect(own).not.toHaveProperty('groups')
  })
})

describe('a list of accounts', () => {
  it('has the groups of each by name, and sets them only where it names them', async () => {
    await using context = await testContext({ users: USERS })
    const { userTransfer, groups } = context.services
    await groups.create(OPERATOR, { name: 'Writers' })
    await withGroup(context, {}, [BOB, EVE])
    const overwrite = { overwrite: true, replace: false }
    const list = userTransfer.export(OPERATOR)
    expect(list.map((user) => user.groups)).toEqual([[], ['Readers'], ['Readers']])
    const more = [
      { username: 'bob', groups: ['writers'] },
      { username: 'eve' },
      { username: 'tom', groups: ['Readers'] },
    ]
    await userTransfer.import(OPERATOR, more, overwrite)
    const membersOf = (name: string) =>
      groups.get(OPERATOR, groups.find(name).id).members.map(({ username }) => username)
    expect([membersOf('Readers'), membersOf('Writers')]).toEqual([['eve', 'tom'], ['bob']])
    await expect(userTransfer.import(OPERATOR, [{ username: 'eve', groups: ['none'] }], overwrite)).rejects.toThrow(
      errorLike('INVALID_INPUT'),
    )
    await userTransfer.import(OPERATOR, [{ username: 'eve', groups: [] }], overwrite)
    expect(membersOf('Readers')).toEqual(['tom'])
  })
})

it('a store with two groups of one id or name is refused', async () => {
  await using context = await testContext()
  const { store, services } = context
  const { members: _members, ...group } = await services.groups.create(OPERATOR, { name: 'one' })
  const twins = [{ id: 'other' as GroupId }, { name: 'two' }]
  for (const twin of twins)
    await expect(store.update((draft) => void draft.groups.push({ ...group, members: [], ...twin }))).rejects.toThrow(
      errorLike('INVALID_INPUT'),
    )
})
