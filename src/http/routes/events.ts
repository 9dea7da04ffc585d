import type { FastifyInstance } from 'fastify'
import { openEvents, watchFolder } from '../../api/events.ts'
import type { Context } from '../../context.ts'
import { mount } from '../mount.ts'
import { eventText } from '../protocol/event-text.ts'
import { sendParts } from '../send.ts'

export function eventRoutes(app: FastifyInstance, { services: { events } }: Context): void {
  mount(
    app,
    openEvents,
    async ({ actor, query, request, reply }) => {
      const isAgain = request.headers['last-event-id'] !== undefined
      using stream = await events.open(actor, { folder: query.folder, isAgain })
      // At once: the text would notice only at its next sign of life, and hold the folder until then.
      reply.raw.once('close', () => stream[Symbol.dispose]())
      // Proxies would gather events until a buffer is full.
      void reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
      return await sendParts(reply, encoded(eventText(stream)))
    },
    { endsItself: true },
  )

  mount(app, watchFolder, async ({ actor, params, body }) => {
    await events.watch(actor, params.stream, body.folder)
    return undefined
  })

  // Else the server would wait for streams that never end.
  app.addHook('preClose', async () => events.stop())
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text)
}
