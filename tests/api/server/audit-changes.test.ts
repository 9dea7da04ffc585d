import { describe, expect, it } from 'vitest'
import type { AuditChange, AuditEntry, AuditPage } from '../../../src/domain/server/audit.ts'
import { PASSWORD, testApp, type Client } from '../../helpers/api/test-app.ts'

async function newest({ ask }: Client, query: string): Promise<AuditEntry | undefined> {
  return (await ask('GET', `/api/audit?${query}`)).json<AuditPage>().entries[0]
}

const inWords = ({ of = '', name, old = '-', new: now = '-' }: AuditChange) => `${of} ${name}: ${old} → ${now}`.trim()

const json = (value: unknown) => ({ payload: JSON.stringify(value) })

describe('what the activity log says of a change', () => {
  it('is the old and the new value of each field of an account, but no password', async () => {
    await using app = await testApp()
    const admin = await app.admin()
    await app.user('bob', { create: true })
    const { id } = app.context.services.users.find('bob')
    const change = async (which: string[], data: object) => {
      const body = { what: 'user', which, current_password: PASSWORD, data: { id, ...data } }
      expect((await admin.ask('PUT', `/api/users/${id}`, json(body))).statusCode).toBe(200)
      return (await newest(admin, 'action=users.update'))?.changes?.map(inWords)
    }
    expect(await change(['scope'], { scope: '/bob' })).toEqual(['user bob scope: / → /bob'])
    const rules = [{ allow: false, path: '/bob/in', regex: false }]
    expect(await change(['rules'], { rules })).toEqual([
      expect.stringMatching(/^user bob rules: - → \{.*"path":"\/bob\/in".*\}$/),
    ])
    expect(await change(['password'], { password: 'another long passphrase' })).toEqual([
      'user bob password: *** → ***',
    ])
    await admin.ask('DELETE', `/api/users/${id}`, json({ current_password: PASSWORD }))
    const removed = await newest(admin, 'action=users.delete')
    expect(removed?.changes?.map(inWords)).toEqual(
      expect.arrayContaining([
        'user bob perm.create: true → -',
        'user bob scope: /bob → -',
        'user bob password: *** → -',
      ]),
    )
    expect(JSON.stringify((await admin.ask('GET', '/api/audit')).json())).not.toMatch(/passphrase|argon2/)
  })

  it('names the fields of settings, hooks and server options, without tokens in lines', async () => {
    await using app = await testApp({ options: { enableExec: true } })
    const admin = await app.admin()
    const settings = (await admin.ask('GET', '/api/settings')).json<object>()
    const rules = [{ allow: false, path: '/secret', regex: false }]
    await admin.ask('PUT', '/api/settings', json({ ...settings, signup: true, rules }))
    expect((await newest(admin, 'action=settings.'))?.changes?.map(inWords)).toEqual([
      'signup: false → true',
      expect.stringMatching(/^rules: - → .*\/secret/),
    ])
    // A change of nothing says so by its absence.
    await admin.ask('PUT', '/api/settings', json({ ...settings, signup: true, rules }))
    expect(await newest(admin, 'action=settings.')).not.toHaveProperty('changes')
    await admin.ask('POST', '/api/hooks', json({ event: 'after_upload', line: '/bin/echo --token geheim $FILE' }))
    expect((await newest(admin, 'action=hooks.add'))?.changes?.map(inWords)).toEqual([
      'commands.after_upload: - → /bin/echo --token *** $FILE',
    ])
    const values = Object.fromEntries(
      Object.keys((await admin.ask('GET', '/api/server')).json<object>()).map((name) => [name, null]),
    )
    const body = { current_password: PASSWORD, values: { ...values, port: 9000 } }
    expect((await admin.ask('PUT', '/api/server', json(body))).statusCode).toBe(200)
    expect((await newest(admin, 'action=server.'))?.changes?.map(inWords)).toEqual(['port: - → 9000'])
  })

  it('holds no secret of a link, a webhook or a token', async () => {
    await using app = await testApp({ files: { 'docs/a.txt': 'a' } })
    const admin = await app.admin()
    const { hash } = (await admin.ask('POST', '/api/share/docs', json({ password: 'an open sesame' }))).json<{
      hash: string
    }>()
    const name = `link ${hash.slice(0, 4)}…`
    expect((await newest(admin, 'action=shares.create'))?.changes?.map(inWords)).toEqual(
      expect.arrayContaining([`${name} path: - → /docs`, `${name} password: - → ***`]),
    )
    await admin.ask('PUT', `/api/shares/${hash}`, json({ password: '' }))
    expect((await newest(admin, 'action=shares.'))?.changes?.map(inWords)).toContain(`${name} password: *** → -`)
    const hook = { url: 'https://hooks.example.org/services/geheim', name: 'chat' }
    const { secret } = (await admin.ask('POST', '/api/webhooks', json(hook))).json<{ secret: string }>()
    expect((await newest(admin, 'action=webhooks.'))?.changes?.map(inWords)).toEqual(
      expect.arrayContaining(['webhook chat url: - → https://hooks.example.org/***', 'webhook chat secret: - → ***']),
    )
    const order = { name: 'script', permissions: ['download'], current_password: PASSWORD }
    const { token } = (await admin.ask('POST', '/api/tokens', json(order))).json<{ token: string }>()
    expect((await newest(admin, 'action=tokens.'))?.changes?.map(inWords)).toContain(
      'token script permissions: - → download',
    )
    const log = JSON.stringify((await admin.ask('GET', '/api/audit?limit=500')).json())
    for (const text of [hash, secret, token, 'sesame', 'geheim', 'argon2']) expect(log).not.toContain(text)
  })

  it('belongs to the request that made it, if several run at once', async () => {
    await using app = await testApp()
    const admin = await app.admin()
    const names = Array.from({ length: 8 }, (_, index) => `user${index}`)
    const create = async (username: string) => {
      const data = { username, password: PASSWORD, scope: `/${username}` }
      await admin.ask('POST', '/api/users', json({ what: 'user', which: [], current_password: PASSWORD, data }))
    }
    await Promise.all(names.map(create))
    const { entries } = (await admin.ask('GET', '/api/audit?action=users.create')).json<AuditPage>()
    expect(entries).toHaveLength(names.length)
    for (const { target = '', changes = [] } of entries)
      expect(new Set(changes.map(({ of }) => of))).toEqual(new Set([`user ${target}`]))
  })
})

describe('the activity log', () => {
  it('lists the names of a batch rename, at most a hundred of them', async () => {
    const many = Object.fromEntries(Array.from({ length: 105 }, (_, index) => [`many/${index}.txt`, '']))
    await using app = await testApp({ files: { 'docs/a.txt': 'a', 'docs/b.txt': 'b', ...many } })
    const admin = await app.admin()
    const renames = [
      { from: 'a.txt', to: 'c.txt' },
      { from: 'b.txt', to: 'd.txt' },
    ]
    await admin.ask('POST', '/api/rename/docs', json({ renames }))
    expect(await newest(admin, 'action=files.renameMany')).toMatchObject({
      target: '/docs',
      names: renames,
      outcome: 'done',
    })
    await admin.ask('POST', '/api/rename/many', json({ pattern: { template: 'Beach {n}' } }))
    const entry = await newest(admin, 'action=files.renameMany')
    expect(entry?.names).toHaveLength(100)
    expect(entry).toMatchObject({ more: 5, outcome: 'done' })
  })

  it('finds the sign-ins of a user, also failed ones, and no others', async () => {
    await using app = await testApp()
    const admin = await app.admin()
    await app.user('bob')
    const login = async (username: string, password: string) =>
      await app.ask('POST', '/api/login', json({ username, password }))
    await login('BOB', 'wrong')
    await login('bob', PASSWORD)
    await login('bobby', 'wrong')
    const { entries } = (await admin.ask('GET', '/api/audit?user=bob')).json<AuditPage>()
    const found = entries.map(({ who, action, target, outcome, session }) => [
      who,
      action,
      target,
      outcome,
      session !== undefined,
    ])
    expect(found).toEqual([
      ['bob', 'auth.login', 'bob', 'done', true],
      ['', 'auth.login', 'BOB', 'refused', false],
      ['bob', 'auth.login', 'bob', 'done', true],
    ])
  })

  it('does not record a dry run as done', async () => {
    await using app = await testApp()
    const admin = await app.admin()
    const headers = { 'x-current-password': PASSWORD }
    const { rawPayload: payload } = await admin.ask('GET', '/api/backup', { headers })
    const sent = { payload, headers: { ...headers, 'content-type': 'application/x-tar' } }
    expect((await admin.ask('POST', '/api/backup?dryRun=true', sent)).statusCode).toBe(200)
    expect(await newest(admin, 'action=backup.restore')).toBeUndefined()
  })
})

describe('an exported activity log', () => {
  const exported = async ({ ask }: Client, query: string) => await ask('GET', `/api/audit/export?${query}`)

  it('has all matching entries, as a table or as JSON lines', async () => {
    await using app = await testApp({ files: { 'a.txt': 'a' } })
    const admin = await app.admin()
    for (let index = 0; index < 600; index += 1)
      app.context.services.audit.record({ who: 'eve', action: 'files.save', target: `/${index},"x"`, outcome: 'done' })
    const json = await exported(admin, 'user=eve&format=jsonl')
    expect(json.headers).toMatchObject({
      'content-type': 'application/jsonl; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; .*filemgr-activity-[\d-]+\.jsonl/) as string,
    })
    const lines = json.body.trim().split('\n')
    expect(lines).toHaveLength(600)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ who: 'eve', target: '/599,"x"' })
    const csv = await exported(admin, 'user=eve&target=/599')
    expect(csv.body).toMatch(/^time,who,action,.*,details\r\n[^,]+,eve,files\.save,"\/599,""x""",,done,,,,,,,,,\r\n$/)
    expect((await exported(admin, 'format=xml')).statusCode).toBe(400)
  })

  it('lists names and changes, and contains no spreadsheet formula from a file name', async () => {
    await using app = await testApp()
    const admin = await app.admin()
    app.context.services.audit.record({
      who: 'eve',
      action: 'files.renameMany',
      target: '=HYPERLINK("http://x")',
      outcome: 'done',
      names: [{ from: 'a', to: 'b' }],
      changes: [{ of: 'user bob', name: 'scope', old: '/', new: '' }],
      more: 3,
    })
    const { body } = await exported(admin, 'user=eve')
    expect(body).toContain(`"'=HYPERLINK(""http://x"")"`)
    expect(body).toContain('a → b; user bob scope: / → """"; … +3')
  })
})

describe('when a user was last seen', () => {
  it('moves with each use of a session or a token, and stays when the token is revoked', async () => {
    await using app = await testApp()
    const admin = await app.admin()
    const bob = await app.user('bob', { download: true })
    const { clock, services } = app.context
    const seen = () => services.users.find('bob').lastSeenAt
    const now = () => new Date(clock.now()).toISOString()
    const order = { name: 'script', permissions: ['download'], current_password: PASSWORD }
    const made = (await bob.ask('POST', '/api/tokens', json(order))).json<{ id: string; token: string }>()
    const before = app.context.store.snapshot()
    clock.move(3_600_000)
    await bob.ask('GET', '/api/resources/')
    expect(seen()).toBe(now())
    clock.move(3_600_000)
    await app.ask('GET', '/api/resources/', { headers: { 'x-auth': made.token } })
    expect(seen()).toBe(now())
    // No request waits for the store.
    expect(app.context.store.snapshot()).toBe(before)
    const last = now()
    clock.move(60_000)
    await admin.ask('DELETE', `/api/tokens/${made.id}`)
    expect(seen()).toBe(last)
  })
})
