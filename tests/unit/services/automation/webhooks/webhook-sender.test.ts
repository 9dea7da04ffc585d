import { expect, it } from 'vitest'
import type { StoredWebhook, WebhookResult } from '../../../../../src/domain/automation/webhook.ts'
import { parseVirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { silentLogger } from '../../../../../src/platform/logging/logger.ts'
import { systemClock } from '../../../../../src/platform/clock.ts'
import { systemRandom } from '../../../../../src/platform/security/random.ts'
import { createWebhookSender } from '../../../../../src/services/automation/webhooks/webhook-sender.ts'
import { emptyDocument } from '../../../../../src/store/document.ts'
import { createMemoryStore } from '../../../../../src/store/json/memory-store.ts'
import { STORE_FORMAT } from '../../../../../src/store/document.ts'
import { soleDaemon } from '../../../../../src/store/sole-daemon.ts'
import { eventually } from '../../../../helpers/patience.ts'

const webhook: StoredWebhook = {
  id: 'one',
  url: 'http://example.org/',
  name: '',
  events: ['after_upload'],
  enabled: true,
  secret: `whsec_${'a'.repeat(32)}`,
}

it('a receiver that keeps failing gets few requests however many events wait, and all of them when it works again', async () => {
  let result: WebhookResult = { outcome: 'unreachable', status: null, detail: 'ECONNREFUSED' }
  let requests = 0
  await using store = createMemoryStore({ ...STORE_FORMAT, document: { ...emptyDocument(), webhooks: [webhook] } })
  const { webhookStates } = soleDaemon({ folder: undefined, clock: systemClock, log: silentLogger })
  await using sender = createWebhookSender({
    store,
    states: webhookStates,
    clock: systemClock,
    random: systemRandom,
    log: silentLogger,
    request: async () => {
      requests += 1
      return result
    },
  })
  const facts = { user: { username: 'ann', scope: '/' }, path: parseVirtualPath('/a.txt') }
  for (let count = 0; count < 300; count += 1) sender.send('upload', facts)
  await eventually(() => expect(requests).toBeGreaterThan(10))
  expect(requests).toBeLessThan(30)
  result = { outcome: 'accepted', status: 204, detail: '' }
  await eventually(async () => expect((await sender.states()).get('one')?.deliveries).toEqual([]))
})
