import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../../src/domain/accounts/actor.ts'
import { MAX_RULES, type Rule } from '../../../../src/domain/access/rule.ts'
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
    const lists = [{}, { userId }].map((owner, list) => ({
      owner,
      names: Array.from({ length: 50 }, (_, index) => `/${list}-${index}`),
    }))
    await Promise.all(
      lists.flatMap(({ owner, names }) => names.map(async (name) => await rules.add(OPERATOR, deny(name), owner))),
    )
    for (const { owner, names } of lists)
      expect(new Set(rules.list(OPERATOR, owner).map(({ path }) => path))).toEqual(new Set(names))
  })

  it('of a user set the time of the last change, by which their devices notice it', async () => {
    await using context = await testContext({ users: [make.admin(), make.user()] })
    const { rules, users } = context.services
    context.clock.move(5000)
    await rules.add(OPERATOR, deny('/x'), { userId: users.find('bob').id })
    const stored = context.store.snapshot().users.find(({ username }) => username === 'bob')
    expect(stored).toMatchObject({ updatedAt: context.clock.now(), rules: [deny('/x')] })
  })

  it('are added, moved and removed only where there is such a position', async () => {
    const three = ['/0', '/1', '/2'].map(deny)
    await using context = await testContext({ settings: { rules: three } })
    const { rules } = context.services
    const NOT_FOUND = { code: 'NOT_FOUND', message: expect.stringContaining('the last one is 2') as string }
    for (const at of [-1, 4])
      await expect(rules.add(OPERATOR, deny('/x'), { at })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining('from 0 to 3') as string,
      })
    for (const [first, last] of [
      [0, 3],
      [3, 3],
      [-1, 0],
    ] as const) {
      await expect(rules.remove(OPERATOR, first, last)).rejects.toMatchObject(NOT_FOUND)
      await expect(rules.move(OPERATOR, first, last)).rejects.toMatchObject(NOT_FOUND)
    }
    await expect(rules.move(OPERATOR, 3, 0)).rejects.toMatchObject(NOT_FOUND)
    await expect(rules.remove(OPERATOR, 1, 0)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(rules.list(OPERATOR)).toEqual(three)
    const paths = (changed: readonly Rule[]) => changed.map(({ path }) => path)
    expect(paths(await rules.add(OPERATOR, deny('/first'), { at: 0 }))).toEqual(['/first', '/0', '/1', '/2'])
    expect(paths(await rules.add(OPERATOR, deny('/last'), { at: 4 }))).toEqual(['/first', '/0', '/1', '/2', '/last'])
    expect(paths(await rules.move(OPERATOR, 4, 0))).toEqual(['/last', '/first', '/0', '/1', '/2'])
    expect(paths(await rules.remove(OPERATOR, 1, 3))).toEqual(['/last', '/2'])
    expect(paths(await rules.remove(OPERATOR, 0, 1))).toEqual([])
    await expect(rules.remove(OPERATOR, 0, 0)).rejects.toThrow('there are no rules')
  })

  it('are refused if they cannot be used, or if there are too many', async () => {
    const most = Array.from({ length: MAX_RULES }, (_, index) => deny(`/${index}`))
    await using context = await testContext({ settings: { rules: most.slice(1) } })
    const { rules } = context.services
    for (const regexp of [null, { raw: '(' }])
      await expect(rules.add(OPERATOR, { ...deny(''), regex: true, regexp })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { field: 'rules.0' },
      })
    await rules.add(OPERATOR, deny('/one-more'))
    await expect(rules.add(OPERATOR, deny('/too-many'))).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(rules.list(OPERATOR)).toHaveLength(MAX_RULES)
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

  it('lists a hundred paths at most, and only the root if that is hidden', async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`many/${index}`, '']))
    await using context = await testContext({ files: many })
    const admin = await context.actor('admin')
    const preview = async (...rules: Rule[]) => await context.services.rules.preview(admin, { rules })
    const { paths, count } = await preview({ ...deny(''), regex: true, regexp: { raw: '^/many/' } })
    expect([paths.length, count]).toEqual([100, 101])
    expect(await preview(deny('/'))).toMatchObject({ paths: ['/'], count: 102 })
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
