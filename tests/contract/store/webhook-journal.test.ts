import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { WebhookState } from '../../../src/domain/automation/webhook.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { journalledWebhookStates } from '../../../src/store/records/webhook-journal.ts'
import type { WebhookStates } from '../../../src/store/store.ts'
import { temporaryFolder } from './folder.ts'

const delivery = (id: string, attempts = 0) => ({ id, body: 'x'.repeat(400), attempts, due: attempts })
const stateOf = (id: string, deliveries: WebhookState['deliveries']): WebhookState => ({
  id,
  deliveries,
  failures: 0,
  lost: 0,
  last: null,
})

async function begin() {
  const folder = join(await temporaryFolder(), 'webhooks')
  const logged: string[] = []
  const note = (message: string) => void logged.push(message)
  const open = (of = folder) =>
    journalledWebhookStates({ folder: of, clock: systemClock, log: { info: note, warn: note, error: note } })
  const file = join(folder, 'queue.journal')
  return { folder, file, logged, open, size: async () => (await stat(file)).size }
}

async function adopted(states: WebhookStates): Promise<WebhookState[]> {
  const found: WebhookState[] = []
  await states.follow(async (state) => void found.push(state))
  return found
}

it('the events of webhooks are there after a restart, and those that were sent are not', async () => {
  const { open } = await begin()
  const states = open()
  const [a, b] = [delivery('a'), delivery('b')]
  await states.put(stateOf('one', [a, b]), stateOf('two', [b]))
  await states.put(stateOf('one', [{ ...a, attempts: 1, due: 7 }, b]))
  await states.put(stateOf('one', [{ ...a, attempts: 1, due: 7 }]))
  await states.remove('two')
  expect(await open().others()).toEqual([stateOf('one', [{ ...a, attempts: 1, due: 7 }])])
  expect(await adopted(open())).toEqual([stateOf('one', [{ ...a, attempts: 1, due: 7 }])])
})

it('an event, or an attempt to send one, writes only itself, however many others wait', async () => {
  const { open, size } = await begin()
  const states = open()
  let deliveries = Array.from({ length: 2000 }, (_, index) => delivery(`d${index}`))
  await states.put(stateOf('one', deliveries))
  const full = await size()
  deliveries = deliveries.with(7, { ...delivery('d7'), attempts: 1, due: 9 })
  await states.put(stateOf('one', deliveries))
  expect((await size()) - full).toBeLessThan(300)
  await states.put(stateOf('one', [...deliveries, delivery('new')]))
  expect((await size()) - full).toBeLessThan(1000)
})

it('the file of events does not grow without end', async () => {
  const { open, size } = await begin()
  const states = open()
  for (let round = 0; round < 30; round += 1)
    await states.put(
      stateOf(
        'one',
        Array.from({ length: 200 }, (_, index) => delivery(`${round}-${index}`)),
      ),
    )
  expect(await size()).toBeLessThan(1_500_000)
  expect((await open().others())[0]?.deliveries.map(({ id }) => id)).toEqual(
    Array.from({ length: 200 }, (_, index) => `29-${index}`),
  )
})

it('events that an older version has left are adopted once', async () => {
  const { folder, open } = await begin()
  await mkdir(folder)
  const state = stateOf('one', [delivery('a')])
  await writeFile(join(folder, 'one.json'), JSON.stringify(state))
  const states = open()
  await states.follow(async (found) => await states.put(found))
  expect(await open().others()).toEqual([state])
  await states.put(stateOf('one', []))
  expect(await open().others()).toEqual([stateOf('one', [])])
})

it('a damaged line is reported, and the events before it are kept', async () => {
  const { folder, file, logged, open } = await begin()
  const states = open()
  await states.put(stateOf('one', [delivery('a')]))
  await states.put(stateOf('one', [delivery('a'), delivery('b')]))
  const damaged = join(await temporaryFolder(), 'damaged')
  await cp(folder, damaged, { recursive: true })
  const bytes = await readFile(file)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9)
  await writeFile(join(damaged, 'queue.journal'), bytes)
  const opened = open(damaged)
  expect(await adopted(opened)).toEqual([stateOf('one', [delivery('a')])])
  expect(logged).toEqual([expect.stringContaining('webhooks/queue.journal is damaged in line 3')])
})
