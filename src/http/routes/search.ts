import type { FastifyInstance } from 'fastify'
import { runSearch } from '../../api/search.ts'
import type { Context } from '../../context.ts'
import type { SearchHit } from '../../domain/search-query.ts'
import type { SearchEnd } from '../../services/search.ts'
import { mount } from '../mount.ts'
import { withHeartbeat } from '../protocol/heartbeat.ts'
import { sendLines } from '../send.ts'

export function searchRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, runSearch, async ({ actor, params, query, reply, signal }) => {
    const wanted = { query: query.query ?? '', details: query.details === 'true' }
    const hits = services.search.run(actor, `/${params['*']}`, wanted, signal)
    return await sendLines(reply, withHeartbeat(linesOf(hits)))
  })
}

/** An empty line at the end says that there are more hits: old clients skip it. */
async function* linesOf(
  found: AsyncGenerator<readonly SearchHit[], SearchEnd, void>,
): AsyncGenerator<string, void, void> {
  try {
    let next = await found.next()
    for (; next.done !== true; next = await found.next())
      yield next.value.map(({ dir, path, details }) => `${JSON.stringify({ dir, path, ...details })}\n`).join('')
    if (next.value === 'cut') yield '\n'
  } finally {
    await found.return('complete')
  }
}
