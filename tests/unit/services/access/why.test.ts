import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../../src/domain/accounts/actor.ts'
import { isFilemgrError } from '../../../../src/domain/errors.ts'
import { ACTION_NAMES, ACTIONS, type Action, type Supposed } from '../../../../src/domain/access/explanation.ts'
import { NO_PERMISSIONS, PERMISSIONS, type Permissions } from '../../../../src/domain/access/permissions.ts'
import { compileRules } from '../../../../src/domain/access/rule-check.ts'
import { PATH_PERMISSIONS, type PermissionRule, type Rule } from '../../../../src/domain/access/rule.ts'
import { ROOT, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { compilePattern } from '../../../../src/platform/validation/pattern.ts'
import type { FileAccess } from '../../../../src/services/access/file-access.ts'
import { checkTree, deniedIn } from '../../../../src/services/access/file-checks.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'
import { make } from '../../../helpers/make.ts'
import { testContext, type TestContextInput } from '../../../helpers/test-context.ts'

const deny = (path: string): Rule => ({ regex: false, allow: false, path, regexp: null })
const allow = (path: string): Rule => ({ ...deny(path), allow: true })

const files = { 'a.txt': 'a', '.dot': 'd', 'docs/one.txt': '1', 'docs/sub/two.txt': '2', 'docs/.dot': 'd' }

async function bobWith(fields: Parameters<typeof make.user>[0] = {}, more: TestContextInput = {}) {
  const context = await testContext({ users: [make.admin(), make.user(fields)], files, ...more })
  const { id } = context.services.users.find('bob')
  const why = async (action: Action, path: string) =>
    await context.services.rules.explain(OPERATOR, { userId: id, action, path })
  return { context, why, [Symbol.asyncDispose]: async () => await context[Symbol.asyncDispose]() }
}

describe('an explanation of access', () => {
  it('names the rule that denies, its list and its position', async () => {
    await using bob = await bobWith(
      { rules: [allow('/docs'), deny('/docs/sub')] },
      { settings: { rules: [deny('/')] } },
    )
    expect(await bob.why('download', '/docs/sub/two.txt')).toEqual({
      user: 'bob',
      action: 'download',
      path: '/docs/sub/two.txt',
      allowed: false,
      obstacles: [
        {
          kind: 'rule',
          path: '/docs/sub/two.txt',
          rule: { list: 'user', index: 1, rule: deny('/docs/sub') },
          message: 'rule 1 of this user (/docs/sub) denies /docs/sub/two.txt',
        },
      ],
      needs: ['download'],
      by: [],
      rule: { list: 'user', index: 1, rule: deny('/docs/sub') },
      matching: [
        { list: 'global', index: 0, rule: deny('/') },
        { list: 'user', index: 0, rule: allow('/docs') },
        { list: 'user', index: 1, rule: deny('/docs/sub') },
      ],
      complete: true,
      exists: true,
    })
    expect(await bob.why('list', '/a.txt')).toMatchObject({ obstacles: [{ rule: { list: 'global', index: 0 } }] })
  })

  it('says whether something is at the path, whatever the rules say of it', async () => {
    await using bob = await bobWith({ rules: [deny('/hidden')] })
    await symlink('nowhere', join(bob.context.root, 'dangling'))
    const exists = async (action: Action, path: string) => (await bob.why(action, path)).exists
    for (const action of ACTION_NAMES) {
      expect([action, await exists(action, '/docs/one.txt')]).toEqual([action, true])
      expect([action, await exists(action, '/docs/nope.txt')]).toEqual([action, false])
      expect([action, await exists(action, '/hidden')]).toEqual([action, false])
    }
    expect(await exists('list', '/')).toBe(true)
    expect([await exists('download', '/dangling'), await exists('delete', '/dangling')]).toEqual([false, true])
    await using closed = await bobWith({ scope: '/gone' })
    expect(await exists('list', '/')).toBe(true)
    expect((await closed.why('list', '/')).exists).toBe(false)
  })

  it('answers for changes that are not saved, and saves nothing', async () => {
    await using bob = await bobWith({ rules: [deny('/docs')] })
    const userId = bob.context.services.users.find('bob').id
    const ask = async (action: Action, path: string, supposed: Supposed) =>
      await bob.context.services.rules.explain(OPERATOR, { userId, action, path, supposed })
    expect(await ask('list', '/docs/one.txt', { rules: [] })).toMatchObject({ allowed: true, matching: [] })
    expect(await ask('list', '/a.txt', { globalRules: [deny('/a.txt')] })).toMatchObject({
      allowed: false,
      rule: { list: 'global', index: 0 },
    })
    expect(await ask('delete', '/a.txt', { perm: NO_PERMISSIONS })).toMatchObject({
      obstacles: [{ kind: 'permission', permission: 'delete' }],
    })
    expect(await ask('list', '/one.txt', { scope: '/docs', rules: [] })).toMatchObject({ allowed: true })
    expect(await ask('list', '/a.txt', { scope: '/none' })).toMatchObject({ obstacles: [{ kind: 'scope' }] })
    expect(await ask('list', '/.dot', { hideDotfiles: true })).toMatchObject({ obstacles: [{ kind: 'dotfile' }] })
    await expect(ask('list', '/', { rules: [{ ...deny(''), regex: true, regexp: { raw: '(' } }] })).rejects.toEqual(
      errorLike('INVALID_INPUT'),
    )
    expect(await bob.why('list', '/docs/one.txt')).toMatchObject({ allowed: false })
  })

  it('names the rule that allows', async () => {
    await using bob = await bobWith({ rules: [deny('/docs'), allow('/docs/one.txt')] })
    expect(await bob.why('list', '/docs/one.txt')).toMatchObject({ allowed: true, rule: { index: 1 }, obstacles: [] })
    expect(await bob.why('list', '/a.txt')).toMatchObject({ allowed: true, rule: null })
  })

  it('names what is denied inside a folder if the action concerns the whole folder', async () => {
    await using bob = await bobWith({ rules: [deny('/docs/sub/two.txt')] })
    for (const action of ['delete', 'copy', 'rename'] as const) {
      expect(await bob.why(action, '/docs')).toMatchObject({
        allowed: false,
        obstacles: [{ kind: 'rule', path: '/docs/sub/two.txt' }],
      })
    }
    expect(await bob.why('list', '/docs')).toMatchObject({ allowed: true })
  })

  it.each<[string, Action, string, object, TestContextInput?]>([
    ['a permission', 'delete', '/a.txt', { kind: 'permission', permission: 'delete' }],
    ['a hidden dotfile', 'read', '/docs/.dot', { kind: 'dotfile' }],
    ['the root', 'rename', '/', { kind: 'root' }],
    [
      'a read-only server',
      'save',
      '/a.txt',
      { kind: 'read-only', permission: 'modify' },
      { options: { readOnly: true } },
    ],
  ])('names %s as the obstacle', async (_, action, path, obstacle, more) => {
    await using bob = await bobWith({ perm: { delete: false }, hideDotfiles: true }, more)
    expect(await bob.why(action, path)).toMatchObject({ allowed: false, obstacles: [obstacle] })
  })

  it('names a link that leads outside, and says that the link itself may be renamed and deleted', async () => {
    await using bob = await bobWith()
    await symlink('/etc', join(bob.context.root, 'out'))
    expect(await bob.why('list', '/out')).toMatchObject({ allowed: false, obstacles: [{ kind: 'disk' }] })
    expect(await bob.why('create', '/out/new')).toMatchObject({ allowed: false, obstacles: [{ kind: 'disk' }] })
    for (const action of ['rename', 'delete'] as const)
      expect(await bob.why(action, '/out')).toMatchObject({ allowed: true, exists: true })
  })

  it('names a scope without a folder', async () => {
    await using bob = await bobWith({ scope: '/nowhere' })
    expect(await bob.why('list', '/')).toMatchObject({ allowed: false, obstacles: [{ kind: 'scope' }] })
  })

  it('is for administrators only', async () => {
    await using bob = await bobWith()
    const actor = await bob.context.actor('bob')
    const asked = bob.context.services.rules.explain(actor, { userId: actor.id, action: 'list', path: '/' })
    await expect(asked).rejects.toEqual(errorLike('FORBIDDEN'))
  })
})

/** Pseudo-random numbers, the same for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const PATHS = ['/', '/a.txt', '/.dot', '/docs', '/docs/one.txt', '/docs/sub', '/docs/sub/two.txt', '/docs/.dot', '/new']
const PATTERNS = ['\\.txt$', '^/docs', 'o', '(?i)ONE', '/\\.']

/** The checks that operations make before they touch anything. */
async function decide(access: FileAccess, action: Action, path: VirtualPath): Promise<boolean> {
  const { right, reach } = ACTIONS[action]
  try {
    access.require(right, path)
    access.requireAllowed(path)
    if (reach === 'tree' && path === ROOT) return false
    if (reach === 'tree' && (await access.scope.kindOf(path)) === 'folder') {
      if (action === 'delete') await checkTree({ kind: 'remove', from: { files: access, path } })
      // Where it goes has the same permissions.
      else if (action === 'rename')
        await checkTree({ kind: 'move', from: { files: access, path }, to: { files: access, path }, replace: false })
      else if ((await deniedIn(access, path, 'files.list', 100)).denied !== undefined) return false
    }
    return true
  } catch (error) {
    if (isFilemgrError(error)) return false
    throw error
  }
}

it('every explanation agrees with the decision, whatever rules and permissions there are', async () => {
  await using bob = await bobWith()
  const { context } = bob
  const next = numbers(20_261_121)
  const pick = <T>(list: readonly T[]): T => list[next(list.length)] as T
  const someRules = () =>
    Array.from({ length: next(4) }, (): Rule => {
      const regex = next(3) === 0
      const common = { regex, allow: next(2) === 0 }
      return regex
        ? { ...common, path: '', regexp: { raw: pick(PATTERNS) } }
        : { ...common, path: pick(PATHS) + (next(4) === 0 ? '/' : ''), regexp: null }
    })
  const somePermissions = () =>
    Array.from({ length: next(3) }, (): PermissionRule => {
      const permissions = PATH_PERMISSIONS.filter(() => next(2) === 0)
      return next(3) === 0
        ? { regex: true, path: '', regexp: { raw: pick(PATTERNS) }, permissions }
        : { regex: false, path: pick(PATHS), regexp: null, permissions }
    })
  const verdicts = { allowed: 0, refused: 0 }
  for (let round = 0; round < 150; round += 1) {
    const [global, own, permissionRules] = [someRules(), someRules(), somePermissions()]
    const perm = Object.fromEntries(PERMISSIONS.map((name) => [name, next(4) > 0])) as Permissions
    await context.store.update((draft) => {
      draft.settings.rules = global
      draft.settings.permissionRules = permissionRules
      draft.users = draft.users.map((user) =>
        user.username === 'bob' ? { ...user, perm, rules: own, hideDotfiles: next(2) === 0 } : user,
      )
    })
    const [action, path] = [pick(ACTION_NAMES), pick(PATHS) as VirtualPath]
    using access = await context.services.access.ofUser(context.services.users.find('bob').id)
    const explained = await bob.why(action, path)
    expect(explained.allowed, JSON.stringify({ global, own, permissionRules, perm, action, path })).toBe(
      await decide(access, action, path),
    )
    expect(access.permits(path)).toBe(compileRules([...global, ...own], compilePattern)(path))
    verdicts[explained.allowed ? 'allowed' : 'refused'] += 1
  }
  expect(Math.min(verdicts.allowed, verdicts.refused)).toBeGreaterThan(20)
})
