import { describe, expect, it } from 'vitest'
import { auditQuery, NO_FILTER } from '../../../../ui/src/admin/settings/activity/audit-query.ts'
import { editable, savable } from '../../../../ui/src/admin/settings/global/server-section.tsx'
import {
  changeOf,
  editableSignIn,
  neededFields,
  SIGN_IN_FIELDS,
} from '../../../../ui/src/admin/settings/sign-in/method-section.tsx'

describe('a filter of the activity log', () => {
  it('matches everything by default', () => {
    expect(auditQuery(NO_FILTER, null)).toEqual({})
  })

  it('takes whole days of the browser', () => {
    const query = auditQuery(
      { user: ' ann ', action: 'users.', target: ' /docs ', outcome: 'refused', from: '2026-03-01', to: '2026-03-02' },
      null,
    )
    expect(query).toEqual({
      user: 'ann',
      action: 'users.',
      target: '/docs',
      outcome: 'refused',
      after: new Date(2026, 2, 1).toISOString(),
      before: new Date(2026, 2, 3).toISOString(),
    })
  })

  it('continues after the last entry of the previous page', () => {
    const next = '2026-03-01T10:00:00.000Z'
    expect(auditQuery({ ...NO_FILTER, to: '2026-03-02' }, next)).toEqual({ before: next })
  })
})

describe('the form of the server options', () => {
  const view = { source: 'default', saved: null, locked: false, waiting: false } as const
  const views = {
    port: { ...view, value: 8080, default: 8080 },
    log: { ...view, value: 'stdout', default: 'stderr', source: 'flag', locked: true } as const,
    root: { ...view, value: '/srv', default: '.', saved: '/srv', source: 'store' } as const,
    cacheDir: { ...view, value: '', default: '', locked: true },
  }

  it('shows saved values, and the value in force where it is decided elsewhere', () => {
    expect(editable(views).values).toEqual({ port: 8080, log: 'stdout', root: '/srv', cacheDir: '' })
  })

  it('sends null for defaults, and the saved value where it is decided elsewhere', () => {
    const { values } = editable(views)
    expect(savable({ views, values: { ...values, port: 9000 } })).toEqual({ port: 9000, log: null, root: '/srv' })
    expect(savable({ views, values: { ...values, root: '.' } })).toEqual({ port: null, log: null, root: null })
  })
})

describe('the form of the sign-in method', () => {
  const values = editableSignIn({
    method: 'json',
    header: '',
    command: [],
    commandEnvironment: false,
    createUsers: true,
    hidePassword: false,
    secondFactor: { required: 'nobody', groups: [], grace: '7d', trustDays: 30 },
    recaptcha: { host: 'https://c.example', key: 'k', hasSecret: true },
  })

  it('never shows the secret of the captcha', () => {
    expect(values).toMatchObject({ hasSecret: true, recaptcha: { key: 'k', secret: '' } })
  })

  it('requires the fields of the selected method', () => {
    const keys = (method: typeof values.method) => neededFields(method).map(({ key }) => key)
    expect(keys('json')).toEqual(['method', 'recaptcha.host', 'recaptcha.key', 'recaptcha.secret'])
    expect(keys('proxy')).toEqual(['method', 'header', 'createUsers'])
    expect(keys('hook')).toEqual(['method', 'command', 'commandEnvironment', 'createUsers'])
    expect(keys('noauth')).toEqual(['method'])
  })

  it('sends only changed fields', () => {
    const touched = SIGN_IN_FIELDS.filter(({ key }) => key === 'method' || key === 'recaptcha.key')
    expect(changeOf(values, touched)).toEqual({ method: 'json', recaptcha: { key: 'k' } })
  })
})
