import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../../../src/domain/audit.ts'
import { auditCsv, auditQuery, NO_FILTER } from '../../../../ui/src/admin/settings/activity/audit-query.ts'
import { editable, savable } from '../../../../ui/src/admin/settings/global/server-section.tsx'
import {
  changeOf,
  editableSignIn,
  neededFields,
  SIGN_IN_FIELDS,
} from '../../../../ui/src/admin/settings/global/sign-in-section.tsx'

describe('a filter of the activity log', () => {
  it('asks for everything unless something is chosen', () => {
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

  it('goes on where the page before has ended', () => {
    const next = '2026-03-01T10:00:00.000Z'
    expect(auditQuery({ ...NO_FILTER, to: '2026-03-02' }, next)).toEqual({ before: next })
  })
})

describe('an exported activity log', () => {
  const entry: AuditEntry = { time: 'T', who: 'ann', action: 'files.save', target: '/a', outcome: 'done' }

  it('is a table with a line for each', () => {
    expect(auditCsv([entry, { ...entry, destination: '/b,"c"' }])).toBe(
      'T,ann,files.save,/a,,done,,\r\nT,ann,files.save,/a,"/b,""c""",done,,\r\n',
    )
  })

  it('holds no formula that a file name smuggles into a spreadsheet', () => {
    expect(auditCsv([{ ...entry, target: '=HYPERLINK("http://x")' }])).toContain(`"'=HYPERLINK(""http://x"")"`)
  })
})

describe('start-up values in a form', () => {
  const view = { source: 'default', saved: null, locked: false, waiting: false } as const
  const views = {
    port: { ...view, value: 8080, default: 8080 },
    log: { ...view, value: 'stdout', default: 'stderr', source: 'flag', locked: true } as const,
    root: { ...view, value: '/srv', default: '.', saved: '/srv', source: 'store' } as const,
    cacheDir: { ...view, value: '', default: '', locked: true },
  }

  it('show what is saved, and what is decided elsewhere as it is in force', () => {
    expect(editable(views).values).toEqual({ port: 8080, log: 'stdout', root: '/srv', cacheDir: '' })
  })

  it('are sent as null where they are defaults, and as they are saved where they are decided elsewhere', () => {
    const { values } = editable(views)
    expect(savable({ views, values: { ...values, port: 9000 } })).toEqual({ port: 9000, log: null, root: '/srv' })
    expect(savable({ views, values: { ...values, root: '.' } })).toEqual({ port: null, log: null, root: null })
  })
})

describe('the way to sign in, in a form', () => {
  const values = editableSignIn({
    method: 'json',
    header: '',
    command: [],
    commandEnvironment: false,
    createUsers: true,
    recaptcha: { host: 'https://c.example', key: 'k', hasSecret: true },
  })

  it('never shows the secret of the captcha', () => {
    expect(values).toMatchObject({ hasSecret: true, recaptcha: { key: 'k', secret: '' } })
  })

  it('asks for what the chosen way needs', () => {
    const keys = (method: typeof values.method) => neededFields(method).map(({ key }) => key)
    expect(keys('json')).toEqual(['method', 'recaptcha.host', 'recaptcha.key', 'recaptcha.secret'])
    expect(keys('proxy')).toEqual(['method', 'header', 'createUsers'])
    expect(keys('hook')).toEqual(['method', 'command', 'commandEnvironment', 'createUsers'])
    expect(keys('noauth')).toEqual(['method'])
  })

  it('sends what was changed and nothing else', () => {
    const touched = SIGN_IN_FIELDS.filter(({ key }) => key === 'method' || key === 'recaptcha.key')
    expect(changeOf(values, touched)).toEqual({ method: 'json', recaptcha: { key: 'k' } })
  })
})
