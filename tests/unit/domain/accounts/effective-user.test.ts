import { describe, expect, it } from 'vitest'
import {
  effectiveUser as withGroups,
  giversOf,
  GroupIndex,
  limitGivers,
  rulesOfGroups,
} from '../../../../src/domain/accounts/effective-user.ts'
import { type Group, NO_GROUP_PERMISSIONS } from '../../../../src/domain/accounts/group.ts'
import type { User } from '../../../../src/domain/accounts/user.ts'
import { NO_PERMISSIONS } from '../../../../src/domain/access/permissions.ts'
import type { Rule } from '../../../../src/domain/access/rule.ts'
import type { GroupId, UserId } from '../../../../src/domain/ids.ts'
import { testContext } from '../../../helpers/test-context.ts'

const deny = (path: string): Rule => ({ regex: false, allow: false, path, regexp: null })
const allow = (path: string): Rule => ({ ...deny(path), allow: true })
const expression = (raw: string): Rule => ({ ...deny(''), regex: true, regexp: { raw } })

const groupsOf = (user: User, groups: readonly Group[]) => new GroupIndex(groups).of(user)
const effectiveUser = (user: User, groups: readonly Group[]) => withGroups(user, groupsOf(user, groups), [])

const BOB = 7 as UserId
const group = (name: string, fields: Partial<Group> = {}): Group => ({
  id: name as GroupId,
  name,
  perm: NO_GROUP_PERMISSIONS,
  rules: [],
  permissionRules: [],
  places: [],
  quota: 0,
  quotaFiles: 0,
  members: [BOB],
  ...fields,
})

async function bob(fields: Partial<User> = {}): Promise<User> {
  await using context = await testContext()
  const [user] = context.store.snapshot().users
  if (user === undefined) throw new Error('there is no user')
  return { ...user, id: BOB, username: 'bob', perm: NO_PERMISSIONS, ...fields }
}

describe('an account in groups', () => {
  it('has what it has itself and what any of its groups gives, but never what it is denied', async () => {
    const stored = await bob({ perm: { ...NO_PERMISSIONS, download: true, rename: true }, denied: ['rename', 'share'] })
    const groups = [
      group('one', { perm: { ...NO_GROUP_PERMISSIONS, create: true } }),
      group('two', { perm: { ...NO_GROUP_PERMISSIONS, create: true, share: true } }),
      group('of others', { perm: { ...NO_GROUP_PERMISSIONS, delete: true }, members: [8 as UserId] }),
    ]
    const user = effectiveUser(stored, groups)
    expect(user.perm).toEqual({ ...NO_PERMISSIONS, download: true, create: true })
    expect(giversOf('create', user)).toEqual(['one', 'two'])
    expect(['share', 'download', 'admin'].flatMap((name) => giversOf(name as 'share', user))).toEqual([])
  })

  it('is an administrator only by itself, whatever a damaged group says', async () => {
    const perm = { ...NO_GROUP_PERMISSIONS, admin: true }
    expect(effectiveUser(await bob(), [group('one', { perm })]).perm.admin).toBe(false)
    const admin = await bob({ perm: { ...NO_PERMISSIONS, admin: true } })
    expect(effectiveUser(admin, [group('one')]).perm.admin).toBe(true)
  })

  it('has its own limits, or the largest of its groups where it has none', async () => {
    const groups = [group('small', { quota: 10, quotaFiles: 5 }), group('large', { quota: 20 }), group('silent')]
    const given = effectiveUser(await bob(), groups)
    expect(given).toMatchObject({ quota: 20, quotaFiles: 5 })
    expect(limitGivers(given)).toEqual(['small', 'large'])
    const own = effectiveUser(await bob({ quota: 1, quotaFiles: 1 }), groups)
    expect(own).toMatchObject({ quota: 1, quotaFiles: 1 })
    expect(limitGivers(own)).toEqual([])
  })

  it('is a member by hand and by providers, once, and not of groups that are gone', async () => {
    const identity = { issuer: 'https://id.test', subject: '1', label: '', linkedAt: 0, lastUsedAt: 0 }
    const ids = ['one', 'two', 'gone'] as GroupId[]
    const user = await bob({ identities: [{ ...identity, groups: ids }] })
    const groups = [group('two', { members: [] }), group('one'), group('three', { members: [] })]
    expect(groupsOf(user, groups).map(({ name }) => name)).toEqual(['one', 'two'])
    expect(groupsOf(user, [])).toEqual([])
  })
})

describe('the rules of several groups', () => {
  it('are one list, in which the more exact one comes later, and what denies a path after what allows it', () => {
    const rules = rulesOfGroups([
      group('one', { rules: [deny('/docs/secret'), allow('/docs'), deny('/docs')] }),
      group('two', { rules: [allow('/docs/secret/mine'), expression('\\.key$'), allow('/docs/secret')] }),
    ])
    expect(rules.map(({ group: name, index, rule }) => [name, index, rule.regexp?.raw ?? rule.path])).toEqual([
      ['two', 1, '\\.key$'],
      ['one', 1, '/docs'],
      ['one', 2, '/docs'],
      ['two', 2, '/docs/secret'],
      ['one', 0, '/docs/secret'],
      ['two', 0, '/docs/secret/mine'],
    ])
  })
})
