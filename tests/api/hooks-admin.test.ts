import { describe, expect, it } from 'vitest'
import type { Hook, HookList } from '../../src/domain/hook.ts'
import { testApp } from '../helpers/test-app.ts'

describe('hooks of an administrator', () => {
  it('are added, switched, tried and removed', async () => {
    await using server = await testApp({ options: { enableExec: true } })
    const admin = await server.admin()
    const post = async (url: string, body: object = {}) =>
      await admin.ask('POST', url, { payload: JSON.stringify(body) })
    const added = (await post('/api/hooks', { event: 'after_save', line: 'echo $TRIGGER', timeout: 5 })).json<Hook>()
    expect(added).toMatchObject({ event: 'after_save', enabled: true, waits: true, timeout: 5, onFailure: 'refuse' })
    const tried = await post(`/api/hooks/${added.id}/test`)
    expect(tried.json()).toEqual({ exitCode: 0, ended: 'by itself', stdout: 'after_save\n', stderr: '' })
    const off = await admin.ask('PATCH', `/api/hooks/${added.id}`, { payload: '{"enabled":false}' })
    expect(off.json()).toMatchObject({ id: added.id, enabled: false, timeout: 5 })
    expect((await admin.ask('GET', '/api/hooks')).json<HookList>()).toEqual({
      running: true,
      hooks: [{ ...added, enabled: false }],
    })
    expect((await admin.ask('DELETE', `/api/hooks/${added.id}`)).statusCode).toBe(204)
    expect((await admin.ask('GET', '/api/hooks')).json<HookList>().hooks).toEqual([])
    expect(server.context.services.settings.current().hookLimits).toEqual([])
  })

  it("are nobody else's business", async () => {
    await using server = await testApp({ options: { enableExec: true } })
    const ann = await server.user('ann', { create: true, modify: true, execute: true })
    expect((await ann.ask('GET', '/api/hooks')).statusCode).toBe(403)
    const payload = JSON.stringify({ event: 'after_save', line: 'id' })
    expect((await ann.ask('POST', '/api/hooks', { payload })).statusCode).toBe(403)
  })

  it('are kept, shown as not running and not tried while command execution is off', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    const payload = JSON.stringify({ event: 'after_save', line: 'id' })
    const { id } = (await admin.ask('POST', '/api/hooks', { payload })).json<Hook>()
    expect((await admin.ask('GET', '/api/hooks')).json<HookList>()).toMatchObject({ running: false, hooks: [{ id }] })
    expect((await admin.ask('POST', `/api/hooks/${id}/test`)).statusCode).toBe(403)
  })

  it.each(['/api/settings', '/api/settings/all'])(
    'CVE-2026-35585: %s takes no line that needs a shell',
    async (url) => {
      await using server = await testApp()
      const admin = await server.admin()
      const settings = (await admin.ask('GET', url)).json<{ commands: Record<string, string[]> }>()
      const body = { ...settings, commands: { ...settings.commands, after_upload: ['notify "uploaded: $FILE"'] } }
      const answer = await admin.ask('PUT', url, { payload: JSON.stringify(body) })
      expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('script file')])
    },
  )

  it('that moved in are kept as they were until somebody switches them on', async () => {
    await using server = await testApp({ settings: { commands: { disabled_after_upload: ['a | b', 'notify'] } } })
    const admin = await server.admin()
    const settings = (await admin.ask('GET', '/api/settings')).json<object>()
    expect((await admin.ask('PUT', '/api/settings', { payload: JSON.stringify(settings) })).statusCode).toBe(200)
    const { hooks } = (await admin.ask('GET', '/api/hooks')).json<HookList>()
    const answers = hooks.map(
      async ({ id }) => await admin.ask('PATCH', `/api/hooks/${id}`, { payload: '{"enabled":true}' }),
    )
    expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([400, 200])
    expect(server.context.services.settings.current().commands).toMatchObject({
      after_upload: ['notify'],
      disabled_after_upload: ['a | b'],
    })
  })
})
