import type { FastifyInstance } from 'fastify'
import { runSearch } from '../../api/search.ts'
import type { Context } from '../../context.ts'
import type { SearchHit } from '../../domain/search-query.ts'
import { mount } from '../mount.ts'
import { withHeartbeat } from '../protocol/heartbeat.ts'
import { sendLines } from '../send.ts'

export function searchRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, runSearch, async ({ actor, params, query, reply, signal }) => {
    const hits = services.search.run(actor, `/${params['*']}`, query.query ?? '', signal)
    return await sendLines(reply, withHeartbeat(linesOf(hits)))
  })
}

async function* linesOf(found: AsyncIterable<readonly SearchHit[]>): AsyncGenerator<string, void, void> {
  for await (const hits of found) yield hits.map(({ dir, path }) => `${JSON.stringify({ dir, path })}\n`).join('')
}
