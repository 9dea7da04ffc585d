import type { FastifyInstance } from 'fastify'
import { openEvents, watchFolder } from '../../../api/automation/events.ts'
import type { Context } from '../../../context.ts'
import { FACTOR_DUE } from '../../../domain/accounts/second-factor.ts'
import type { FilemgrError } from '../../../domain/errors.ts'
import { mount } from '../../mount.ts'
import { sendParts } from '../../send/send.ts'
import type { EventStream } from '../../../services/automation/events/events.ts'

export function eventRoutes(app: FastifyInstance, { services: { actorWatch, events } }: Context): void {
  mount(
    app,
    openEvents,
    async ({ actor, query, request, reply }) => {
      const isAgain = request.headers['last-event-id'] !== undefined
      using stream = await events.open(actor, query, isAgain)
      // Dispose immediately: otherwise the folder would be watched until the next heartbeat fails.
      reply.raw.once('close', () => stream[Symbol.dispose]())
      // The stream itself tells the page of the end of its session.
      const end = ({ details }: FilemgrError) => {
        if (details.reason === FACTOR_DUE) stream[Symbol.dispose]()
      }
      if (actor.kind === 'user') reply.raw.once('close', actorWatch.onRefused(actor, end))
      // Proxies would buffer events.
      void reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
      return await sendParts(reply, encoded(eventText(stream)))
    },
    { endsItself: true },
  )

  mount(app, watchFolder, async ({ actor, params, body }) => {
    await events.watch(actor, params.stream, body)
    return undefined
  })

  // Otherwise closing the server would wait for streams that never end.
  app.addHook('preClose', async () => events.stop())
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text)
}

const HEARTBEAT_INTERVAL = 15_000
/** Milliseconds that a browser waits before it reconnects. */
const RETRY = 3000

/** Server-sent events, with a comment after `silence` milliseconds, so that proxies do not close the connection as idle. */
export async function* eventText(
  stream: Pick<EventStream, 'next'>,
  silence = HEARTBEAT_INTERVAL,
): AsyncGenerator<string, void, void> {
  yield `retry: ${RETRY}\n\n`
  for (let coming = stream.next(); ;) {
    const next = await orSilence(coming, silence)
    if (next === 'silence') {
      yield ':\n\n'
      continue
    }
    if (next === undefined) return
    yield `id: ${next.id}\nevent: ${next.event.name}\ndata: ${JSON.stringify(next.event.data)}\n\n`
    coming = stream.next()
  }
}

async function orSilence<T>(coming: Promise<T>, milliseconds: number): Promise<T | 'silence'> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<'silence'>((resolve) => {
    timer = setTimeout(() => resolve('silence'), milliseconds)
  })
  try {
    return await Promise.race([coming, silence])
  } finally {
    clearTimeout(timer)
  }
}
