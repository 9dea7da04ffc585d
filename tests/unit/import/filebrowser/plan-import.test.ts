import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { freshSettings } from '../../../../src/services/server/setup.ts'
import { exportSettings, exportUsers } from '../../../../src/import/filebrowser/export.ts'
import { combined, fromExport } from '../../../../src/import/filebrowser/read-installation.ts'
import { planImport } from '../../../../src/import/filebrowser/plan-import.ts'
import { notesOn, oldFixture, oneUser, planOf } from '../../../helpers/unit/import-plan.ts'
import { importInput, oldFile } from '../../../helpers/samples/old-installation.ts'

describe('an import', () => {
  it('carries users over with ids, hashes, scopes, permissions, rules and preferences', () => {
    const { document } = planImport(importInput({}, { old: oldFixture() }))
    expect(document.users.map(({ id, username, scope }) => [id, username, scope])).toEqual([
      [1, 'admin', '/'],
      [2, 'alice', '/docs'],
      [3, '123', '/'],
      [4, 'bob', '/'],
    ])
    const [, alice, , late] = document.users
    expect(alice).toMatchObject({ locale: 'fr', lockPassword: true, viewMode: 'mosaic' })
    expect(alice?.passwordHash).toMatch(/^\$2a\$10\$xlrpGlg/)
    expect(alice?.rules).toEqual([{ regex: false, allow: false, path: '/sub', regexp: null }])
    expect(late).toMatchObject({ commands: ['ls', 'git'], sorting: { by: 'size', asc: true }, hideDotfiles: true })
    expect(late?.perm).toMatchObject({ admin: false, execute: false, share: true })
    expect(document.nextUserId).toBe(5)
  })

  it('carries settings and start-up values over', () => {
    const { document, report } = planImport(importInput({}, { old: oldFixture() }))
    expect(document.settings).toMatchObject({
      signup: true,
      hideLoginButton: false,
      createUserDir: true,
      minimumPasswordLength: 10,
      branding: { name: 'Our Files', theme: 'dark' },
      tus: { chunkSize: 5_242_880 },
      defaults: { locale: 'de', viewMode: 'list', redirectAfterCopyMove: false },
      trash: freshSettings().trash,
    })
    expect(document.settings.rules.map(({ path, regexp }) => regexp?.raw ?? path)).toEqual([
      '/media/private',
      '(?i)\\.key$',
      '/media/private/ok',
    ])
    expect(document.server).toEqual({ root: '/old/srv' })
    expect(notesOn(report, 'server root')).toEqual([
      'carried: /old/srv',
      'changed: "srv" becomes /old/srv; choose another folder with --root',
    ])
  })

  it('gives the same result for a database, JSON and YAML', () => {
    const json = (name: string) => fromExport(JSON.parse(readFileSync(oldFile(name), 'utf8')))
    const yaml = (name: string) => fromExport(parse(readFileSync(oldFile(name), 'utf8')))
    const of = (old: ReturnType<typeof oldFixture>) => {
      const { users, settings, server } = planImport(importInput({}, { old })).document
      return { users, settings, server }
    }
    const expected = of({ ...oldFixture(), links: [] })
    expect(of(combined([json('config.json'), json('users.json')]))).toEqual(expected)
    expect(of(combined([yaml('users.yaml'), yaml('config.yaml')]))).toEqual(expected)
  })

  it('reads back what was exported in the form of File Browser', () => {
    const { document } = planImport(importInput({}, { old: oldFixture() }))
    const back = combined([fromExport(exportSettings(document)), fromExport(exportUsers(document.users).users)])
    const again = planImport(importInput({}, { old: back })).document
    expect(again.users).toEqual(document.users)
    expect(again.settings).toEqual(document.settings)
    expect(again.server).toEqual(document.server)
  })

  it('drops the signing key, so that no old token opens anything', () => {
    const { document, report } = planOf()
    expect(JSON.stringify(document)).not.toContain('bCunupBR6Ksrn')
    expect(document.secrets.tokenKey).toHaveLength(86)
    expect(notesOn(report, 'signing key')).toHaveLength(1)
  })

  it('switches hooks off and names each of them', () => {
    const { document, report } = planOf()
    const { commands } = document.settings
    expect(commands).toMatchObject({ after_upload: [], before_delete: [], disabled_after_upload: ['echo $FILE'] })
    expect(report.changed.map(({ subject }) => subject)).toContain('hook before_delete: sh -c "test -f $FILE" &')
  })

  it('leaves terminal and hooks off whatever the old server said', () => {
    const { document, report } = planOf({ server: { enableExec: true } })
    expect(document.server).not.toHaveProperty('enableExec')
    expect(report.dropped.map(({ subject }) => subject)).toContain('server enableExec')
  })

  it.each([
    ['../../../escape', '/escape'],
    ['.', '/'],
    ['', '/'],
    ['a/../b/', '/b'],
    ['/x/./y', '/x/y'],
  ])('cleans the scope "%s", which could leave the served folder, to %s', (scope, clean) => {
    expect(planOf(oneUser({ scope })).document.users[0]?.scope).toBe(clean)
  })

  it('takes the permission to share from users who may not download', () => {
    const perm = { admin: true, share: true, download: false }
    const { document, report } = planOf(oneUser({ perm }))
    expect(document.users[0]?.perm).toMatchObject({ admin: true, share: false, download: false })
    expect(notesOn(report, 'user bob').join()).toContain('loses the permission to share')
  })

  it('replaces a rule with an unusable expression by one that denies everything, in the same position', () => {
    const bad = { regex: true, allow: true, path: '', regexp: { raw: '(?=look)ahead' } }
    const none = { regex: true, allow: false, path: '', regexp: null }
    const later = { regex: false, allow: true, path: '/ok', regexp: null }
    const { document, report } = planOf({ settings: { rules: [bad, later] }, ...oneUser({ rules: [none] }) })
    const everything = { regex: false, allow: false, path: '/', regexp: null }
    expect(document.settings.rules).toEqual([everything, later])
    expect(document.users[0]?.rules).toEqual([everything])
    expect(report.lookAt.map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(['rule 1 for all users', 'rule 1 for user bob']),
    )
  })

  it('names rules that never apply', () => {
    const { report } = planOf({ settings: { rules: [{ regex: false, allow: false, path: 'secret', regexp: null }] } })
    expect(notesOn(report, 'rule 1 for all users')).toEqual([expect.stringContaining('"secret" still never applies')])
  })

  it('says when an account cannot sign in, when there is no administrator, and when everybody may sign up', () => {
    const { report } = planOf({ ...oneUser({ password: '', perm: {} }), settings: { createUserDir: false } })
    expect(report.lookAt.map(({ subject }) => subject)).toEqual(['sign-up is open', 'user bob', 'no administrator'])
  })

  it('leaves out an account with an invalid name, and says why', () => {
    const users = [
      { id: 1, username: 'admin' },
      { id: 2, username: 'id:7' },
      { id: 3, username: 'evil\u001b[2J' },
    ]
    const { document, report } = planOf({ users })
    expect(document.users.map(({ username }) => username)).toEqual(['admin'])
    expect(report.dropped.filter(({ subject }) => subject.startsWith('user'))).toHaveLength(2)
    expect(document.nextUserId).toBe(2)
  })

  it('replaces values that do not exist here by defaults, and reports them', () => {
    const settings = {
      branding: { theme: 'neon', color: 'url(x)', name: 'N' },
      fileMode: 0o2640,
      minimumPasswordLength: 0,
    }
    const { document, report } = planOf({ settings, ...oneUser({ locale: 'tlh', viewMode: 'cube' }) })
    expect(document.settings).toMatchObject({
      branding: { theme: '', color: '', name: 'N' },
      fileMode: 0o640,
      minimumPasswordLength: 12,
    })
    expect(document.users[0]).toMatchObject({ locale: 'en', viewMode: 'list' })
    expect(report.changed.map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(['setting branding.theme', 'setting branding.color', 'setting fileMode', 'user bob']),
    )
  })

  it('refuses a logout page that would run a script in ours, and an invalid path', () => {
    const settings = { logoutPage: 'javascript:alert(1)', userHomeBasePath: '/a\0b' }
    const { document, report } = planOf({ settings })
    expect(document.settings).toMatchObject({ logoutPage: '/login', userHomeBasePath: '/users' })
    const subjects = report.changed.map(({ subject }) => subject)
    expect(subjects).toEqual(expect.arrayContaining(['setting logoutPage', 'setting userHomeBasePath']))
    expect(planOf({ settings: { logoutPage: 'https://sso.example/out' } }).document.settings.logoutPage).toContain(
      'sso',
    )
  })

  it('takes over start-up values of another form, and resolves paths from where the old server ran', () => {
    const server = {
      port: '9000',
      address: '0.0.0.0',
      baseURL: '/files/',
      tlsCert: 'c.pem',
      tlsKey: '/k.pem',
      log: 'fb.log',
      enableThumbnails: false,
      tokenExpirationTime: '1h30m',
    }
    expect(planOf({ server }).document.server).toEqual({
      root: '/old/srv',
      port: 9000,
      address: '0.0.0.0',
      baseURL: '/files',
      cert: '/old/c.pem',
      key: '/k.pem',
      log: '/old/fb.log',
      disableThumbnails: true,
      tokenExpirationTime: '1h30m',
    })
  })

  it('names start-up values that cannot work: half of TLS, a port, a duration', () => {
    const { document, report } = planOf({ server: { tlsCert: '/c.pem', port: 'http', tokenExpirationTime: 'soon' } })
    expect(document.server).toEqual({ root: '/old/srv' })
    const named = [...report.changed, ...report.dropped].map(({ subject }) => subject)
    expect(named).toEqual(expect.arrayContaining(['TLS', 'server port', 'server tokenExpirationTime']))
  })
})
