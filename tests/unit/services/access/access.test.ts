import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createContext } from '../../../../src/context.ts'
import { ALL_PERMISSIONS } from '../../../../src/domain/access/permissions.ts'
import { effectiveUser } from '../../../../src/domain/accounts/effective-user.ts'
import { OPERATOR, type Visitor } from '../../../../src/domain/accounts/actor.ts'
import type { UserId } from '../../../../src/domain/ids.ts'
import { parseVirtualPath as path } from '../../../../src/domain/files/virtual-path.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'
import { make } from '../../../helpers/make.ts'
import { CLIENT, testContext, type TestContextInput } from '../../../helpers/test-context.ts'

const FORBIDDEN = errorLike('FORBIDDEN')
const deny = (denied: string) => ({ regex: false, allow: false, path: denied, regexp: null })
const allow = (allowed: string) => ({ ...deny(allowed), allow: true })

const files = { 'a.txt': 'a', 'docs/one.txt': '1', 'homes/bob/mine.txt': 'm' }
const bobWith = (fields: Parameters<typeof make.user>[0], more: TestContextInput = {}) =>
  testContext({ users: [make.admin(), make.user(fields)], files, ...more })

describe('the files of a user', () => {
  it('are those beneath the scope', async () => {
    await using context = await bobWith({ scope: '/homes/bob' })
    using access = await context.services.access.at(await context.actor('bob'), '/')
    expect(await access.scope.exists(path('/mine.txt'))).toBe(true)
    expect(await access.scope.exists(path('/a.txt'))).toBe(false)
  })

  it('are all of them for the scope "." of the first user', async () => {
    await using context = await bobWith({})
    using access = await context.services.access.at(await context.actor('admin'), '/')
    expect(await access.scope.exists(path('/homes/bob/mine.txt'))).toBe(true)
  })

  it('are none when the folder of the scope is missing', async () => {
    await using context = await bobWith({ scope: '/nowhere' })
    const access = context.services.access.at(await context.actor('bob'), '/')
    await expect(access).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('are none for the operator, who has a shell', async () => {
    await using context = await testContext()
    await expect(context.services.access.at(OPERATOR, '/')).rejects.toEqual(FORBIDDEN)
  })

  it('are closed to a session that has ended, except for what may be finished', async () => {
    await using context = await bobWith({})
    const ended = { ...(await context.actor('bob')), isExpired: true as const }
    const { access } = context.services
    await expect(access.at(ended, '/')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    using opened = await access.at(ended, '/', { allowExpired: true })
    expect(opened.user.username).toBe('bob')
  })

  it('stay open to work only as long as it would pass its checks', async () => {
    await using context = await bobWith({})
    const actor = await context.actor('bob')
    using access = await context.services.access.at(actor, '/')
    access.requireAllowed(path('/docs'))
    const checkAll = () => {
      for (const check of actor.passed) check()
    }
    checkAll()
    await context.services.rules.add(OPERATOR, deny('/docs'))
    expect(checkAll).toThrow(FORBIDDEN)
  })
})

describe('the files of a link', () => {
  it.each([
    ['the owner may not share any more', { perm: { ...ALL_PERMISSIONS, share: false } }],
    ['a rule denies them to the owner', { rules: [deny('/docs')] }],
  ])('are closed to visitors when %s', async (_, change) => {
    await using context = await bobWith({})
    const owner = context.store.snapshot().users[1]
    if (owner === undefined) throw new Error('there is no owner')
    const share = { path: '/docs', scope: '/' }
    const link = () => ({ share, owner: effectiveUser({ ...owner, perm: ALL_PERMISSIONS, ...change }, [], []) })
    const visitor = { kind: 'visitor', hash: 'x', address: '', passed: new Set(), link } as unknown as Visitor
    await expect(context.services.access.at(visitor, '/')).rejects.toEqual(FORBIDDEN)
  })
})

describe('rules', () => {
  it('for everybody come before those of the user, and the last match wins', async () => {
    await using context = await bobWith(
      { rules: [allow('/docs/open'), deny('/docs/open/not')] },
      { settings: { rules: [deny('/docs'), allow('/a.txt')] } },
    )
    using access = await context.services.access.at(await context.actor('bob'), '/')
    const seen = ['/', '/a.txt', '/docs', '/docs2', '/docs/open', '/docs/open/x', '/docs/open/not/x']
    expect(seen.filter((text) => access.allows(path(text)))).toEqual([
      ...['/', '/a.txt', '/docs2', '/docs/open', '/docs/open/x'],
    ])
    expect(() => access.requireAllowed(path('/docs'))).toThrow(FORBIDDEN)
    expect(access.view('/').rules).toHaveLength(4)
  })

  it('hold for administrators too, and act at once', async () => {
    await using context = await testContext()
    const token = await context.login('admin')
    const ask = async () => {
      const { actor } = await context.services.auth.authenticate(token, CLIENT)
      using access = await context.services.access.at(actor, '/')
      return access.allows(path('/docs'))
    }
    expect(await ask()).toBe(true)
    await context.services.settings.patch(OPERATOR, { rules: [deny('/docs')] })
    expect(await ask()).toBe(false)
    await context.services.users.update(OPERATOR, 1 as UserId, { rules: [allow('/docs')] })
    expect(await ask()).toBe(true)
  })

  it('that somebody broke in the store deny everything, with a reason', async () => {
    await using context = await testContext({ settings: {} })
    await context.store.update((draft) => {
      draft.settings.rules = [{ regex: true, allow: false, path: '', regexp: { raw: '(' } }]
    })
    const access = context.services.access.at(await context.actor('admin'), '/')
    await expect(access).rejects.toMatchObject({ code: 'STORE_INVALID' })
  })
})

describe('hidden dotfiles', () => {
  it('are denied by their own name only', async () => {
    await using context = await bobWith({ hideDotfiles: true })
    using access = await context.services.access.at(await context.actor('bob'), '/')
    expect(access.allows(path('/.profile'))).toBe(false)
    expect(access.allows(path('/.config/inner'))).toBe(true)
    expect(access.allows(path('/'))).toBe(true)
  })
})

describe('a read-only server', () => {
  it('takes away every permission to change files', async () => {
    await using context = await testContext({ options: { readOnly: true } })
    using access = await context.services.access.at(await context.actor('admin'), '/')
    for (const right of ['files.create', 'files.save', 'files.remove', 'files.rename'] as const) {
      expect(() => access.require(right, path('/'))).toThrow(FORBIDDEN)
    }
    expect(() => access.require('downloads.raw', path('/'))).not.toThrow()
    expect(access.view('/').canModify).toBe(false)
  })
})

describe('the data folder inside the served one', () => {
  it.each([
    ['/', '/sub/data', '/sub/other'],
    ['/sub', '/data/store.json', '/other'],
  ])('is denied to a user of the scope %s, whatever the rules allow', async (scope, denied, allowed) => {
    await using world = await dataFolderInside(scope)
    using access = await world.context.services.access.at(await world.parts.actor('bob'), '/')
    expect(access.allows(path(denied))).toBe(false)
    expect(access.allows(path(allowed))).toBe(true)
  })

  it.each(['/sub/data', '/sub/data/cache', '/link'])('cannot be a scope: %s', async (scope) => {
    await using world = await dataFolderInside(scope)
    await expect(world.context.services.access.at(await world.parts.actor('bob'), '/')).rejects.toThrow(FORBIDDEN)
  })

  async function dataFolderInside(scope: string) {
    const users = [make.admin(), make.user({ scope, rules: [allow('/')] })]
    const parts = await testContext({ users, files: { 'sub/data/cache/': '', 'sub/other': '' } })
    const dataFolder = join(parts.root, 'sub/data')
    await writeFile(join(dataFolder, 'store.json'), '{}')
    await symlink('sub/data', join(parts.root, 'link'))
    const { options, store, sessions, clock } = parts
    const stores = { store, sessions, [Symbol.asyncDispose]: async () => undefined }
    const context = await createContext({ options, stores, dataFolder, clock })
    return {
      parts,
      context,
      async [Symbol.asyncDispose]() {
        await context[Symbol.asyncDispose]()
        await parts[Symbol.asyncDispose]()
      },
    }
  }
})
