import { describe, expect, it } from 'vitest'
import { planImport } from '../../../../src/import/filebrowser/plan-import.ts'
import { notesOn, oldFixture, oneUser, planOf } from '../../../helpers/unit/import-plan.ts'
import { importInput } from '../../../helpers/samples/old-installation.ts'

describe('links', () => {
  const link = { hash: 'abc', path: '/docs/', userID: 4, expire: 0 }

  it('keep address, owner, expiry and password', () => {
    const { document } = planImport(importInput({}, { old: oldFixture() }))
    expect(document.shares).toHaveLength(4)
    expect(document.shares).toContainEqual(
      expect.objectContaining({ hash: 'UD4ymEJp', path: '/report.txt', userID: 2, expire: 1_968_047_036 }),
    )
    const secret = document.shares.find(({ hash }) => hash === 'xjPqW6s1')
    expect(secret?.passwordHash).toMatch(/^\$2a\$10\$/)
    expect(secret?.tokenHash).toBe('bd3e74217c3e09a9a09c2a0a08c6a47ca6cfe1e2844f96118ca0a35b0d3a1411')
    expect(secret?.target).toEqual({ device: '1', inode: '2', birth: '3' })
  })

  it.each([
    ['that have expired', { ...link, expire: 1_000_000_000 }, 'it has expired'],
    ['of users who are gone', { ...link, userID: 99 }, 'its owner, user 99, does not exist'],
    ['that cannot be an address', { ...link, hash: '../x' }, 'its address cannot be part of a link'],
  ])('%s are left out', (_, old, reason) => {
    const { document, report } = planOf({ ...oneUser({}), links: [old] })
    expect(document.shares).toEqual([])
    expect(notesOn(report, `share ${old.hash} of /docs/`)).toEqual([`dropped: ${reason}`])
  })

  it('whose target is missing are carried over and reported', () => {
    const { document, report } = planImport(
      importInput({ ...oneUser({}), links: [link] }, { findTarget: () => undefined }),
    )
    expect(document.shares).toHaveLength(1)
    expect(notesOn(report, 'share abc of /docs/').join()).toContain('filemgr shares set abc --rebind')
  })
})

describe('an import into a store with accounts', () => {
  const existing = () => planImport(importInput(oneUser({ scope: '/old' }))).document
  const users = [
    { id: 1, username: 'admin', perm: { admin: true } },
    { id: 4, username: 'carol', rules: [{ regex: false, allow: true, path: '/c', regexp: null }] },
    { id: 9, username: 'bob', scope: '/elsewhere' },
  ]
  const links = [
    { hash: 'aa', path: '/a', userID: 4, expire: 0 },
    { hash: 'bb', path: '/b', userID: 9, expire: 0 },
  ]

  it('keeps what is there and names each clash', () => {
    const before = existing()
    const settings = { branding: { name: 'Theirs' }, signup: false }
    const { document, report } = planImport(importInput({ users, links, settings }, { existing: before }))
    expect(document.settings).toEqual(before.settings)
    expect(document.server).toEqual(before.server)
    expect(document.secrets).toEqual(before.secrets)
    expect(document.users[0]).toEqual(before.users[0])
    expect(report.clashes.map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(['user bob', 'setting branding.name', 'setting signup']),
    )
  })

  it('reuses no id of a present or former account, and keeps links with their owners', () => {
    const { document } = planImport(
      importInput({ users, links }, { existing: { ...existing(), nextUserId: 7 as never } }),
    )
    expect(document.users.map(({ id, username }) => [id, username])).toEqual([
      [4, 'bob'],
      [10, 'admin'],
      [11, 'carol'],
    ])
    expect(document.nextUserId).toBe(12)
    // bob is another user here: the scope differs, and a link of the old one would show other files.
    expect(document.shares.map(({ hash, userID }) => [hash, userID])).toEqual([['aa', 11]])
  })

  it('still denies imported users what the old server denied to everybody', () => {
    const deny = { regex: false, allow: false, path: '/private', regexp: null }
    const input = importInput({ users, settings: { rules: [deny] } }, { existing: existing() })
    const carol = planImport(input).document.users.find(({ username }) => username === 'carol')
    expect(carol?.rules).toEqual([deny, { regex: false, allow: true, path: '/c', regexp: null }])
  })

  it('changes nothing when it is done again', () => {
    const first = planImport(importInput({ users, links })).document
    expect(planImport(importInput({ users, links }, { existing: first })).document).toEqual(first)
  })
})

describe('accounts whose names differ only in case', () => {
  const users = ['Max', 'MAX'].map((username, index) => ({ id: index + 1, username, perm: { admin: true } }))

  it('are both kept, and named', () => {
    const { document, report } = planOf({ users })
    expect(document.users.map(({ username }) => username)).toEqual(['Max', 'MAX'])
    expect(notesOn(report, 'user MAX').join()).toContain(
      'Max, MAX differ only in case: each signs in with exactly this name until one is renamed: filemgr users set id:2',
    )
  })

  it('are not added to one that exists', () => {
    const existing = planImport(importInput({ users: users.slice(0, 1) })).document
    const { document, report } = planImport(importInput({ users: users.slice(1) }, { existing }))
    expect(document.users).toEqual(existing.users)
    expect(notesOn(report, 'user MAX')).toEqual(['clashes: exists here as Max and is not changed'])
  })
})
