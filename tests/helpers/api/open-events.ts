import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { EventName } from '../../../src/domain/automation/event.ts'
import { openRequest } from './open-request.ts'
import type { Client } from './test-app.ts'

export interface ReceivedEvent {
  readonly id: number
  readonly name: EventName
  readonly data: Readonly<Record<string, unknown>>
}

/** An event stream over a real connection. */
export interface OpenEvents extends Disposable {
  readonly answer: IncomingMessage
  /** All events received so far. */
  readonly received: readonly ReceivedEvent[]
  /** Resolves with the next event of this name that no earlier call has returned. */
  next(name: EventName): Promise<ReceivedEvent>
  /** Resolves when the stream is closed; true if it ended normally. */
  readonly ended: Promise<boolean>
}

/** Opens a stream and waits for its first event. @throws with the status if it is refused */
export async function openEvents(
  app: FastifyInstance,
  client: Pick<Client, 'token'>,
  folder?: string,
  headers: Readonly<Record<string, string>> = {},
  beside?: string,
): Promise<OpenEvents> {
  const watched = Object.entries({ folder, beside }).flatMap(([name, path]) =>
    path === undefined ? [] : [[name, path]],
  )
  const query = watched.length === 0 ? '' : `?${new URLSearchParams(watched).toString()}`
  const request = await openRequest(app, client, 'GET', `/api/events${query}`, { headers })
  const answer = await request.answer
  if (answer.statusCode !== 200) throw new Error(`the stream was refused with ${answer.statusCode}`)
  const received: ReceivedEvent[] = []
  const returned = new Map<EventName, number>()
  let text = ''
  answer.setEncoding('utf8').on('data', (part: string) => {
    text += part
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    received.push(...blocks.flatMap(eventOf))
  })
  answer.on('error', () => undefined)
  const stream: OpenEvents = {
    answer,
    received,
    ended: request.ended,
    async next(name) {
      for (;;) {
        const from = returned.get(name) ?? 0
        const found = received.slice(from).find((event) => event.name === name)
        if (found !== undefined) {
          returned.set(name, received.indexOf(found) + 1)
          return found
        }
        if (answer.readableEnded) throw new Error(`the stream ended without ${name}`)
        await Promise.race([once(answer, 'data'), once(answer, 'end')])
      }
    },
    [Symbol.dispose]: () => request[Symbol.dispose](),
  }
  await stream.next('hello')
  return stream
}

function eventOf(block: string): ReceivedEvent[] {
  const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2))) as {
    id?: string
    event?: EventName
    data?: string
  }
  if (fields.event === undefined) return []
  return [{ id: Number(fields.id), name: fields.event, data: JSON.parse(fields.data ?? '{}') as ReceivedEvent['data'] }]
}
