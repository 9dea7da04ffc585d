import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../../src/domain/accounts/actor.ts'
import type { Rule } from '../../../../src/domain/access/rule.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'
import { make } from '../../../helpers/make.ts'
import { testContext } from '../../../helpers/test-context.ts'

const deny = (path: string): Rule => ({ regex: false, allow: false, path, regexp: null })

const files = { 'keys/id.key': 'k', 'keys/more/x.key': 'k', 'secret/a/b': 'b', 'free.txt': 'f' }

describe('single rules', () => {
  it('that are added at the same time are all kept', async () => {
    await using context = await testContext({ users: [make.admin(), make.user()], store: 'json' })
    const { rules, users } = context.services
    const { id: userId } = users.find('bob')
    const names = Array.from({ length: 50 }, (_, index) => `/${index}`)
    await Promise.all([
      ...names.map(async (name) => await rules.add(OPERATOR, deny(name))),
      ...names.map(async (name) => await rules.add(OPERATOR, deny(name), { userId })),
    ])
    for (const owner of [{}, { userId }]) {
      expect(rules.list(OPERATOR, owner).map(({ path }) => path)).toEqual(expect.arrayContaining(names))
    }
  })

  it('of a user set the time of the last change, by which their devices notice it', async () => {
    await using context = await testContext({ users: [make.admin(), make.user()] })
    const { rules, users } = context.services
    context.clock.move(5000)
    await rules.add(OPERATOR, deny('/x'), { userId: users.find('bob').id })
    const stored = context.store.snapshot().users.find(({ username }) => username === 'bob')
    expect(stored).toMatchObject({ updatedAt: context.clock.now(), rules: [deny('/x')] })
  })

  it('are for administrators', async () => {
    await using context = await testContext({ users: [make.admin(), make.user()] })
    const bob = await context.actor('bob')
    const { rules } = context.services
    const FORBIDDEN = errorLike('FORBIDDEN')
    expect(() => rules.list(bob, {})).toThrow(FORBIDDEN)
    await expect(rules.add(bob, deny('/x'), { userId: bob.id })).rejects.toEqual(FORBIDDEN)
    await expect(rules.remove(bob, 0, 0)).rejects.toEqual(FORBIDDEN)
    await expect(rules.move(bob, 0, 0)).rejects.toEqual(FORBIDDEN)
    await expect(rules.preview(bob, { rules: [] })).rejects.toEqual(FORBIDDEN)
  })
})

describe('a preview of rules', () => {
  it('lists what would be hidden, a folder in place of its content, and counts everything', async () => {
    await using context = await testContext({ files })
    const admin = await context.actor('admin')
    const rules = [{ ...deny(''), regex: true, regexp: { raw: '\\.key$' } }, deny('/secret')]
    expect(await context.services.rules.preview(admin, { rules })).toEqual({
      paths: ['/keys/id.key', '/keys/more/x.key', '/secret'],
      count: 5,
      looked: 8,
      complete: true,
    })
  })

  it('looks at the files of the named user, as they are in their scope', async () => {
    await using context = await testContext({ files, users: [make.admin(), make.user({ scope: '/keys' })] })
    const userId = context.services.users.find('bob').id
    const found = await context.services.rules.preview(OPERATOR, { rules: [deny('/more')], userId })
    expect(found).toMatchObject({ paths: ['/more'], count: 2 })
  })

  it('refuses what could not be saved, and says which rule it is', async () => {
    await using context = await testContext()
    const admin = await context.actor('admin')
    const rules = [deny('/a'), { ...deny(''), regex: true, regexp: { raw: '(' } }]
    await expect(context.services.rules.preview(admin, { rules })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'rules.1' },
    })
  })
})
