import { fail } from '../../domain/errors.ts'
import { connect, type Connection } from './connection.ts'

/** A pooler with other clients may give us different sessions by chance. */
const ROUNDS = 3

/**
 * Refuses a pooler that lends one session of the server to several clients in turn, such as PgBouncer with `pool_mode =
 * transaction`: locks between daemons belong to a session, so two clients could hold the same lock, and notifications would get
 * lost.
 *
 * @throws STORE_INVALID, STORE_BUSY
 */
export async function requireOwnSessions(url: string): Promise<void> {
  const one = await connect(url)
  try {
    const other = await connect(url)
    try {
      const known = [await sessionOf(one), await sessionOf(other)]
      for (let round = 0; round < ROUNDS; round += 1) {
        const now = [await sessionOf(one), await sessionOf(other)]
        if (known[0] === known[1] || now.some((session, index) => session !== known[index])) refuse()
      }
    } finally {
      await other.end().catch(() => undefined)
    }
  } finally {
    await one.end().catch(() => undefined)
  }
}

/** The process of the server that serves a connection. */
async function sessionOf(connection: Connection): Promise<number | undefined> {
  return (await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid
}

function refuse(): never {
  const advice = 'Give each client a session of its own, as PgBouncer does with pool_mode = session'
  return fail('STORE_INVALID', `PostgreSQL: a connection pooler shares sessions between clients. ${advice}.`, {
    reason: 'unreachable',
  })
}
