import { describe, expect, it } from 'vitest'
import { exportSettings } from '../../../../src/import/filebrowser/export.ts'
import { fromExport } from '../../../../src/import/filebrowser/read-installation.ts'
import { planImport } from '../../../../src/import/filebrowser/plan-import.ts'
import { importInput } from '../../../helpers/samples/old-installation.ts'

const plan = (authMethod: string, auther: object = {}) => {
  const { document, report } = planImport(importInput({ settings: { authMethod }, auther: { ...auther } }))
  const about = [...report.changed, ...report.dropped, ...report.lookAt].filter(({ subject }) =>
    ['sign-in method', 'captcha'].includes(subject),
  )
  return { settings: document.settings, notes: about.map(({ note }) => note).join('\n') }
}

describe('the sign-in method', () => {
  it('by the header of a proxy asks for the addresses of the proxies', () => {
    const { settings, notes } = plan('proxy', { header: 'X-User' })
    expect(settings).toMatchObject({ authMethod: 'proxy', auth: { header: 'X-User' } })
    expect(notes).toContain('filemgr server set trustedProxies')
  })

  it('by a program keeps its words as they were split, and its environment', () => {
    const { settings, notes } = plan('hook', { command: '/usr/bin/check  --strict' })
    expect(settings).toMatchObject({
      authMethod: 'hook',
      auth: { command: ['/usr/bin/check', '--strict'], commandEnvironment: true },
    })
    expect(notes).toContain('auth.commandEnvironment=false')
  })

  it('without a password is kept and reported', () => {
    const { settings, notes } = plan('noauth')
    expect(settings.authMethod).toBe('noauth')
    expect(notes).toContain('anyone who can reach the daemon')
  })

  it.each(['https://www.google.com', 'https://www.recaptcha.net', 'https://recaptcha.net'])(
    'with a captcha of %s needs no other setting',
    (host) => {
      const recaptcha = { host, key: 'k', secret: 's' }
      expect(plan('json', { recaptcha })).toMatchObject({ settings: { recaptcha }, notes: '' })
    },
  )

  it('with a captcha keeps its keys, and names a host that is not asked', () => {
    const recaptcha = { host: 'https://www.google.com', key: 'k', secret: 's' }
    expect(plan('json', { recaptcha })).toMatchObject({ settings: { recaptcha }, notes: '' })
    const other = plan('json', { recaptcha: { ...recaptcha, host: 'https://captcha.example' } })
    expect(other.notes).toContain('recaptchaHosts')
  })

  it.each([
    ['proxy', { header: 'X User' }],
    ['proxy', {}],
    ['hook', { command: ' ' }],
    ['ldap', {}],
  ])('%s with %j becomes sign-in by password, and is reported', (method, auther) => {
    const { settings, notes } = plan(method, auther)
    expect(settings.authMethod).toBe('json')
    expect(notes).not.toBe('')
  })

  it.each([
    ['proxy', { header: 'X-User' }],
    ['hook', { command: '/usr/bin/check --strict' }],
    ['noauth', {}],
    ['json', { recaptcha: { host: 'https://www.google.com', key: 'k', secret: 's' } }],
  ])('%s is exported as it came', (authMethod, auther) => {
    const first = planImport(importInput({ settings: { authMethod }, auther: { ...auther } })).document
    const exported = exportSettings(first)
    expect(exported.auther).toEqual(auther)
    const again = planImport(importInput({}, { old: fromExport(exported) })).document
    expect(again.settings.auth).toEqual(first.settings.auth)
  })
})
