import { describe, expect, it } from 'vitest'
import { ALL_PERMISSIONS, type Permissions } from '../../../../src/domain/access/permissions.ts'
import { createPathJudge } from '../../../../src/domain/access/rule-check.ts'
import { type EffectiveUser, effectiveUser } from '../../../../src/domain/accounts/effective-user.ts'
import { parseVirtualPath as path, ROOT } from '../../../../src/domain/files/virtual-path.ts'
import { compilePattern } from '../../../../src/platform/validation/pattern.ts'
import { PassedChecks, type Standing } from '../../../../src/services/access/passed-checks.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'
import { testContext } from '../../../helpers/test-context.ts'

const FORBIDDEN = errorLike('FORBIDDEN')
const deny = (denied: string) => ({ regex: false, allow: false, path: denied, regexp: null })
const judgeOf = (...denied: string[]) =>
  createPathJudge(
    { lists: { global: denied.map(deny), group: [], user: [], 'built-in': [] }, hideDotfiles: false },
    compilePattern,
  )

/** Checks of the files of a user with the scope "/files", and what the store says about them, to be changed. */
async function begun(change: Partial<Standing> = {}) {
  await using context = await testContext()
  const [user] = context.store.snapshot().users
  if (user === undefined) throw new Error('there is no user')
  const at = (scope: string): EffectiveUser => effectiveUser({ ...user, scope }, [], [])
  const permissions: Permissions = ALL_PERMISSIONS
  const paths = { within: ROOT, root: ROOT, rootRecord: undefined }
  const rights = { permissions, most: ALL_PERMISSIONS }
  let standing: Standing = { user: at('/files'), judge: judgeOf(), ...rights, ...paths, ...change }
  const checks = new PassedChecks({ scope: '/files' }, () => standing)
  return { checks, at, becomes: (changed: Partial<Standing>) => void (standing = { ...standing, ...changed }) }
}

describe('what an access has passed', () => {
  it('is checked again by the present store: rights', async () => {
    const { checks, becomes } = await begun()
    checks.require('files.remove', ROOT)
    checks.repeat()
    becomes({ permissions: { ...ALL_PERMISSIONS, create: false } })
    checks.repeat()
    becomes({ permissions: { ...ALL_PERMISSIONS, delete: false } })
    expect(() => checks.repeat()).toThrow(FORBIDDEN)
    expect(() => checks.require('files.remove', ROOT)).toThrow(FORBIDDEN)
  })

  it('is checked again by the present store: paths', async () => {
    const { checks, becomes } = await begun()
    checks.requireAllowed(path('/docs/a'))
    becomes({ judge: judgeOf('/docs/b') })
    checks.repeat()
    becomes({ judge: judgeOf('/docs') })
    expect(() => checks.repeat()).toThrow(FORBIDDEN)
    expect(() => checks.requireAllowed(path('/docs/a'))).toThrow(FORBIDDEN)
  })

  it('is checked again by the present store: the path of an API token', async () => {
    const { checks, becomes } = await begun({ within: path('/docs') })
    checks.requireAllowed(path('/docs/a'))
    expect(() => checks.requireAllowed(path('/docs2'))).toThrow(FORBIDDEN)
    becomes({ within: path('/docs/b') })
    expect(() => checks.repeat()).toThrow(FORBIDDEN)
  })

  it('is nothing any more once the account has another folder, however that is written', async () => {
    const { checks, at, becomes } = await begun()
    becomes({ user: at('/files/') })
    checks.repeat()
    becomes({ user: at('files') })
    checks.repeat()
    becomes({ user: at('/other') })
    expect(() => checks.repeat()).toThrow(FORBIDDEN)
  })

  it('includes the checks of others', async () => {
    const { checks } = await begun()
    let mayGoOn = true
    checks.add(() => {
      if (!mayGoOn) throw new Error('no more')
    })
    checks.repeat()
    mayGoOn = false
    expect(() => checks.repeat()).toThrow('no more')
  })
})

describe('work on a folder with its content', () => {
  it('ends when the rules about it change, not when others do', async () => {
    const { checks, becomes } = await begun({ judge: judgeOf('/docs/own') })
    checks.keepRulesOf(path('/docs'))
    becomes({ judge: judgeOf('/docs/own', '/elsewhere') })
    checks.repeat()
    checks.repeat()
    // The rules of the beginning count, not those that apply when the same folder is worked on again.
    becomes({ judge: judgeOf('/docs/own', '/docs/other') })
    checks.keepRulesOf(path('/docs'))
    expect(() => checks.repeat()).toThrow(FORBIDDEN)
    expect(() => checks.repeat()).toThrow(FORBIDDEN)
  })

  it('inside a share obeys the rules for the paths of its owner', async () => {
    const { checks, becomes } = await begun({ root: path('/shared') })
    checks.keepRulesOf(path('/docs'))
    becomes({ judge: judgeOf('/docs') })
    checks.repeat()
    becomes({ judge: judgeOf('/shared/docs/x') })
    expect(() => checks.repeat()).toThrow(FORBIDDEN)
  })
})
