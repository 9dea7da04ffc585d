import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../../src/domain/server/audit.ts'
import type { Webhook, WebhookResult, WebhookWithSecret } from '../../../src/domain/automation/webhook.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { storeWithToken, testStore } from '../../helpers/cli/test-store.ts'
import { containing } from '../../helpers/texts.ts'
import { isSignedWith, webhookReceiver } from '../../helpers/webhook-receiver.ts'

describe('webhooks at the command line', () => {
  it('are added with their secret, listed, changed, tested and removed', async () => {
    await using receiver = await webhookReceiver(204, 500)
    await using store = await testStore()
    const env = { FILEMGR_WEBHOOK_HOSTS: receiver.host }
    const lines = ['webhooks', 'add', receiver.url, '--events', 'after_upload,after_delete', '--name', 'Index']
    const { id, secret } = await store.json<WebhookWithSecret>(lines, { env })
    expect(secret).toMatch(/^whsec_/)
    expect(await store.json<Webhook[]>(['webhooks', 'ls'])).toMatchObject([
      { id, name: 'Index', events: ['after_upload', 'after_delete'], enabled: true, last: null },
    ])
    expect(await store.json<Webhook[]>(['webhooks', 'disable', id])).toMatchObject([{ id, enabled: false }])
    expect(await store.json<WebhookResult>(['webhooks', 'test', id], { env })).toMatchObject({ status: 204 })
    expect(await store.run(['webhooks', 'test', id], { env })).toMatchObject({ code: 0, stdout: 'answered 500\n' })
    const renewed = await store.run(['webhooks', 'set', id, '--new-secret', '--events', 'after_save'])
    expect(renewed.stdout).toMatch(/secret whsec_\S+\n.*not shown again/)
    const { stdout } = await store.run(['webhooks', 'ls'])
    expect([stdout, stdout.includes('whsec_')]).toEqual([containing('after_save'), false])
    expect(await store.run(['webhooks', 'rm', id])).toMatchObject({ code: 2, stderr: containing('--yes') })
    expect(await store.json(['webhooks', 'rm', id, '--yes'])).toEqual({ removed: [id] })

    // The path of an address may be a secret.
    const logged = (await store.run(['logs', '--audit', '--json'])).stdout.trim().split('\n')
    const entries = logged.map((line) => JSON.parse(line) as AuditEntry)
    expect(entries.find(({ action }) => action === 'webhooks.add')?.target).toBe(`http://${receiver.host}`)
    expect(logged.filter((line) => line.includes('whsec_') || line.includes('/hook'))).toEqual([])
  })

  it.each([
    [['add', 'https://ann:secret@example.org/'], 2, 'user name or password'],
    [['add', 'http://127.0.0.1:5678/'], 2, '--webhook-hosts 127.0.0.1:5678'],
    [['add', 'https://example.org/', '--events', 'before_upload'], 2, 'no event "before_upload"'],
    [['set', 'none', '--name', 'x'], 3, 'no webhook none'],
    [['set', 'none'], 2, '--new-secret'],
    [['test', 'none'], 3, 'no webhook none'],
    [['rm', 'none', '--yes'], 3, 'no webhook none'],
  ])('%j is refused with exit code %d', async (args, code, message) => {
    await using store = await testStore()
    expect(await store.run(['webhooks', ...args])).toMatchObject({ code, stdout: '', stderr: containing(message) })
  })
})

describe('the daemon', () => {
  it('sends an event again until it is accepted, also after a restart', async () => {
    await using receiver = await webhookReceiver(500, 500, 204)
    await using store = await storeWithToken()
    const env = { FILEMGR_WEBHOOK_HOSTS: receiver.host }
    const { id, secret = '' } = await store.json<WebhookWithSecret>(['webhooks', 'add', receiver.url], { env })
    const state = async () => (await store.json<Webhook[]>(['webhooks', 'ls']))[0]
    {
      await using daemon = await startTestDaemon({
        data: store.data,
        root: store.root,
        args: ['--webhook-hosts', receiver.host],
      })
      const headers = { 'X-Auth': store.token }
      await fetch(`${daemon.url}api/resources/a.txt`, { method: 'POST', headers, body: 'a' })
      // The second request is the first retry, about a second later.
      const failing = { id, waiting: 1, failures: 2, last: { outcome: 'refused', status: 500 } }
      await expect.poll(state).toMatchObject(failing)
    }
    expect((await store.run(['doctor'])).stdout).toContain(`the webhook ${id} to ${receiver.host} answered 500`)

    await using _daemon = await startTestDaemon({
      data: store.data,
      root: store.root,
      args: ['--webhook-hosts', receiver.host],
    })
    // The next retry is seconds away; a change brings it forward.
    await store.run(['webhooks', 'set', id, '--name', 'corrected'])
    await expect.poll(state).toMatchObject({ waiting: 0, failures: 0, lost: 0, last: { status: 204 } })
    const { messages } = receiver
    expect(new Set(messages.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(messages.map((message) => isSignedWith(secret, message))).toEqual([true, true, true])
    expect(messages.at(-1)?.event).toMatchObject({ type: 'after_upload', data: { user: 'admin', path: '/a.txt' } })
  })
})
