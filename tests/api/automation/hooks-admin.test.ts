import { describe, expect, it } from 'vitest'
import type { Hook, HookList } from '../../../src/domain/automation/hook.ts'
import { testApp } from '../../helpers/api/test-app.ts'

describe('hooks of an administrator', () => {
  it('are added, tried, switched off and removed', async () => {
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

  it('stay on or off when their limits and their place change', async () => {
    await using server = await testApp({ options: { enableExec: true } })
    const admin = await server.admin()
    const list = async () => (await admin.ask('GET', '/api/hooks')).json<HookList>().hooks
    for (const line of ['echo one', 'echo two', 'echo one']) {
      await admin.ask('POST', '/api/hooks', { payload: JSON.stringify({ event: 'before_save', line }) })
    }
    const [, two] = await list()
    const change = async (body: object) =>
      await admin.ask('PATCH', `/api/hooks/${two?.id}`, { payload: JSON.stringify(body) })
    const limits = { timeout: 3, outputLimit: 1024, onFailure: 'ignore' }
    expect((await change({ ...limits, place: 9 })).json()).toMatchObject({ ...limits, line: 'echo two', enabled: true })
    expect((await list()).map(({ line, timeout }) => `${line} ${timeout}`)).toEqual([
      ...['echo one 60', 'echo one 60', 'echo two 3'],
    ])
    await change({ place: 1 })
    expect((await list()).map(({ line }) => line)).toEqual(['echo one', 'echo two', 'echo one'])
    await change({ enabled: false })
    expect((await list()).map(({ line, enabled }) => [line, enabled])).toEqual([
      ...[
        ['echo one', true],
        ['echo two', false],
        ['echo one', true],
      ],
    ])
    expect((await list())[1]).toMatchObject({ ...limits, id: two?.id })
    await change({ enabled: true })
    expect((await list()).map(({ line }) => line)).toEqual(['echo one', 'echo two', 'echo one'])
    const [answer] = [await change({ timeout: 0 })]
    expect([answer.statusCode, (await change({ outputLimit: 2 ** 40 })).statusCode]).toEqual([400, 400])
    await change({ timeout: 60, outputLimit: 1024 * 1024, onFailure: 'refuse' })
    expect(server.context.services.settings.current().hookLimits).toMatchObject([{ line: 'echo one' }])
  })

  it('keep id and place when their line changes, even if another hook gets the old line', async () => {
    await using server = await testApp({ options: { enableExec: true } })
    const admin = await server.admin()
    const list = async () => (await admin.ask('GET', '/api/hooks')).json<HookList>().hooks
    const add = async (line: string) =>
      await admin.ask('POST', '/api/hooks', { payload: JSON.stringify({ event: 'before_save', line }) })
    for (const line of ['echo one', 'echo two']) await add(line)
    const [one, two] = await list()
    const url = `/api/hooks/${one?.id}`
    expect((await admin.ask('PATCH', url, { payload: '{"line":"echo new &"}' })).json()).toEqual({
      ...one,
      line: 'echo new &',
      waits: false,
    })
    await add('echo one')
    const ids = (await list()).map(({ id }) => id)
    expect(ids.slice(0, 2)).toEqual([one?.id, two?.id])
    expect(new Set(ids).size).toBe(3)
    expect((await admin.ask('DELETE', url)).statusCode).toBe(204)
    expect((await list()).map(({ id, line }) => [id, line])).toEqual([
      [two?.id, 'echo two'],
      [ids[2], 'echo one'],
    ])
    expect((await admin.ask('PATCH', `/api/hooks/${two?.id}`, { payload: '{"line":"a | b"}' })).statusCode).toBe(400)
  })

  it('are ended when they exceed their output limit', async () => {
    await using server = await testApp({ options: { enableExec: true } })
    const admin = await server.admin()
    const payload = JSON.stringify({ event: 'after_save', line: 'seq 1 9999', outputLimit: 1024 })
    const { id } = (await admin.ask('POST', '/api/hooks', { payload })).json<Hook>()
    expect((await admin.ask('POST', `/api/hooks/${id}/test`)).json()).toMatchObject({ ended: 'output' })
    await admin.ask('PATCH', `/api/hooks/${id}`, { payload: '{"outputLimit":1048576}' })
    expect((await admin.ask('POST', `/api/hooks/${id}/test`)).json()).toMatchObject({ ended: 'by itself', exitCode: 0 })
  })

  it('can be neither seen nor added by other users', async () => {
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

  it('that were imported as disabled stay as they are until somebody switches them on', async () => {
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
