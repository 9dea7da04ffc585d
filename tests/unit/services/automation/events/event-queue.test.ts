import { describe, expect, it } from 'vitest'
import type { ServerEvent } from '../../../../../src/domain/automation/event.ts'
import { EventQueue } from '../../../../../src/services/automation/events/event-queue.ts'

const folder = (path: string): ServerEvent => ({ name: 'folder', data: { path } })
const SETTINGS: ServerEvent = { name: 'settings', data: {} }

async function rest(queue: EventQueue): Promise<ServerEvent[]> {
  queue.end()
  const events: ServerEvent[] = []
  for (let next = await queue.next(); next !== undefined; next = await queue.next()) events.push(next)
  return events
}

describe('the queue of one receiver', () => {
  it('hands out once an event that was pushed again before it was taken', async () => {
    const queue = new EventQueue()
    for (const event of [folder('/a'), SETTINGS, folder('/b'), folder('/a'), SETTINGS]) queue.push(event)
    expect(await rest(queue)).toEqual([folder('/a'), SETTINGS, folder('/b')])
  })

  it('replaces the oldest of too many events by a gap', async () => {
    const queue = new EventQueue()
    for (let i = 0; i < 10_000; i += 1) queue.push(folder(`/${i}`))
    const events = await rest(queue)
    expect(events[0]).toEqual({ name: 'gap', data: {} })
    expect(events.length).toBeLessThanOrEqual(200)
    expect(events.at(-1)).toEqual(folder('/9999'))
  })

  it('hands out the last event and nothing after it', async () => {
    const queue = new EventQueue()
    const first = queue.next()
    const last: ServerEvent = { name: 'session', data: { end: 'revoked' } }
    queue.end(last)
    queue.push(SETTINGS)
    expect(await first).toEqual(last)
    expect(await queue.next()).toBeUndefined()
  })
})
