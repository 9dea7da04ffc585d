import type { FastifyInstance } from 'fastify'
import { runSearch } from '../../../api/files/search.ts'
import type { Context } from '../../../context.ts'
import { PLACES_AWAY, type SearchHit } from '../../../domain/files/search-query.ts'
import type { SearchEnd } from '../../../services/files/search.ts'
import { mount } from '../../mount.ts'
import { sendLines } from '../../send/send.ts'

export function searchRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, runSearch, async ({ actor, params, query, reply, signal }) => {
    const onAway = (names: readonly string[]) => void reply.header(PLACES_AWAY, names.map(encodeURIComponent).join(','))
    const options = { query: query.query ?? '', details: query.details === 'true', onAway }
    const hits = services.search.run(actor, `/${params['*']}`, options, signal)
    // Until it has begun, it can still be refused: the reply must not begin before.
    const begun = await hits.next()
    return await sendLines(reply, withHeartbeat(linesOf(begun, hits)))
  })
}

/** An empty line at the end means that there are more hits; old clients ignore it. */
async function* linesOf(
  begun: IteratorResult<readonly SearchHit[], SearchEnd>,
  found: AsyncGenerator<readonly SearchHit[], SearchEnd, void>,
): AsyncGenerator<string, void, void> {
  try {
    let next = begun
    for (; next.done !== true; next = await found.next())
      if (next.value.length > 0)
        yield next.value.map(({ dir, path, details }) => `${JSON.stringify({ dir, path, ...details })}\n`).join('')
    if (next.value === 'cut') yield '\n'
  } finally {
    await found.return('complete')
  }
}

const HEARTBEAT_INTERVAL = 5000

/** Sends an empty line, which clients ignore, if the first result takes longer: proxies would close an idle connection. */
export async function* withHeartbeat(
  lines: AsyncGenerator<string, void, void>,
  milliseconds = HEARTBEAT_INTERVAL,
): AsyncGenerator<string, void, void> {
  let timer: NodeJS.Timeout | undefined
  try {
    const first = lines.next()
    const silence = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), milliseconds)
    })
    if ((await Promise.race([first, silence])) === undefined) yield '\n'
    const start = await first
    if (start.done !== true) yield start.value
    yield* lines
  } finally {
    clearTimeout(timer)
    await lines.return()
  }
}
