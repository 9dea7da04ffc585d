import { expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { User } from '../../../src/domain/accounts/user.ts'
import type { UserId } from '../../../src/domain/ids.ts'
import { UserIndex } from '../../../src/services/stored-users.ts'
import type { StoreDocument } from '../../../src/store/document.ts'
import { make } from '../../helpers/make.ts'
import { testContext } from '../../helpers/test-context.ts'

const BOB = 2 as UserId

it('an account is the same object until it or one of its own groups changes, because its rules are compiled once', async () => {
  await using context = await testContext({ users: [make.admin(), make.user()] })
  const { services, store } = context
  const index = new UserIndex(store)
  const [own, other] = [
    await services.groups.create(OPERATOR, { name: 'own' }),
    await services.groups.create(OPERATOR, { name: 'other' }),
  ]
  await services.groups.changeMembers(OPERATOR, own.id, { add: [BOB] })
  const first = index.find(BOB)
  expect(first?.stored).toBe(store.snapshot().users[1])
  await services.groups.change(OPERATOR, other.id, { quota: 1 })
  expect(index.find(BOB)).toBe(first)
  const before = store.snapshot()
  await services.groups.change(OPERATOR, own.id, { quota: 1 })
  expect(index.find(BOB)).toMatchObject({ quota: 1 })
  expect(index.find(BOB, before)).toMatchObject({ quota: 0 })
  await services.users.update(OPERATOR, BOB, { quota: 2 })
  expect(index.find(BOB)).toMatchObject({ quota: 2 })
})

it('groups of others cost nothing to find an account: a thousand of them with a hundred thousand users', async () => {
  await using context = await testContext({ users: [make.admin(), make.user()] })
  const { services, store } = context
  const { members: _none, ...empty } = await services.groups.create(OPERATOR, { name: 'group' })
  const groups = Array.from({ length: 1000 }, (_, at) => {
    let reads = 0
    const members = Array.from({ length: 100 }, (_each, member) => (at * 100 + member + 1) as UserId)
    return {
      ...empty,
      name: `group ${at}`,
      get members() {
        reads += 1
        // The index reads each list once.
        if (reads > 1) throw new Error('the members are read again')
        return members
      },
    }
  })
  const index = new UserIndex({ snapshot: () => ({ ...store.snapshot(), groups }) })
  for (let times = 0; times < 3; times += 1) expect(index.groupsOf({ id: BOB }, groups)).toHaveLength(1)
})

it('whether anybody has a passkey is looked for once after each change, among ten thousand users', () => {
  let looked = 0
  const withFactors = (factors: User['factors']) =>
    ({
      id: BOB,
      get factors() {
        looked += 1
        return factors
      },
    }) as unknown as User
  let users = Array.from({ length: 10_000 }, () => withFactors(undefined))
  const index = new UserIndex({ snapshot: () => ({ users, groups: [] }) as unknown as StoreDocument })
  for (let times = 0; times < 100; times += 1) expect(index.hasPasskeys()).toBe(false)
  expect(looked).toBe(10_000)
  const passkey = { id: 'key', publicKey: '', counter: 0, transports: [], name: 'key', createdAt: 0 }
  users = [...users, withFactors({ handle: 'handle', recovery: [], passkeys: [passkey] })]
  expect(index.hasPasskeys()).toBe(true)
})
