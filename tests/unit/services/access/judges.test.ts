import { describe, expect, it } from 'vitest'
import { effectiveUser } from '../../../../src/domain/accounts/effective-user.ts'
import { parseVirtualPath as path } from '../../../../src/domain/files/virtual-path.ts'
import { compilePattern } from '../../../../src/platform/validation/pattern.ts'
import { Judges } from '../../../../src/services/access/judges.ts'
import { make } from '../../../helpers/make.ts'
import { testContext } from '../../../helpers/test-context.ts'

const allow = (allowed: string) => ({ regex: false, allow: true, path: allowed, regexp: null })
const HIDDEN = ['/data/store', '/data/keys'].map(path)

/** What a user with this scope may reach of the daemon's own folders, whatever other rules allow. */
async function reach(scope: string, paths: readonly string[]) {
  const rules = [allow('/')]
  await using context = await testContext({ users: [make.admin({ scope, rules })], settings: { rules } })
  const { settings, users } = context.store.snapshot()
  const [user] = users
  if (user === undefined) throw new Error('there is no user')
  const judge = new Judges(compilePattern, HIDDEN).of(settings, effectiveUser(user, [], []))
  return paths.filter((text) => judge.permits(path(text)))
}

describe('the folders of the daemon', () => {
  it.each([
    [
      '/',
      ['/data', '/data/store', '/data/store/x', '/data/keys', '/data/storeroom', '/store'],
      ['/data', '/data/storeroom', '/store'],
    ],
    ['/data', ['/', '/store', '/store/x', '/keys', '/data/store'], ['/', '/data/store']],
    ['/data/store', ['/', '/x'], []],
    ['/data/store/deep', ['/', '/x'], []],
    ['/home', ['/', '/store', '/keys'], ['/', '/store', '/keys']],
    ['/homes', ['/', '/data/store', '/store', '/keys'], ['/', '/data/store', '/store', '/keys']],
  ])('are out of reach from the scope %s', async (scope, paths, expected) => {
    expect(await reach(scope, paths)).toEqual(expected)
  })
})

it('rules are compiled once for each version of the settings and of the user', async () => {
  await using context = await testContext()
  const { settings, users } = context.store.snapshot()
  const [stored] = users
  if (stored === undefined) throw new Error('there is no user')
  const user = effectiveUser(stored, [], [])
  const judges = new Judges(compilePattern, [])
  const first = judges.of(settings, user)
  expect(judges.of(settings, user)).toBe(first)
  expect(judges.of({ ...settings }, user)).not.toBe(first)
  expect(judges.of(settings, { ...user })).not.toBe(first)
})
