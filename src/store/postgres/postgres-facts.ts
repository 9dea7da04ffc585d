import { createHash } from 'node:crypto'
import { bytesOfText } from '../../domain/files/name-text.ts'
import { draftFacts, type DraftedFacts } from '../memory-facts.ts'
import type { SharedFacts } from '../store.ts'
import { BRIEF, type Connection } from './connection.ts'
import { storedJson } from './stored-json.ts'
import { Transactions } from './transactions.ts'

/** Locks the given ids, which are sorted, so that two machines cannot deadlock. An advisory lock needs no row. */
const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended(id, 0)) FROM unnest($1::text[]) AS id'

/** A separate statement after the lock, because a statement sees only what was committed before it began. */
const READ = `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now, id, fact
  FROM (VALUES (1)) AS one LEFT JOIN filemgr_facts ON id = ANY ($1) AND until > clock_timestamp()`

const PUT = `INSERT INTO filemgr_facts (id, fact, until)
  SELECT id, fact, clock_timestamp() + lifetime * interval '1 millisecond'
  FROM jsonb_to_recordset($1::jsonb) AS made (id text, fact jsonb, lifetime float8)
  ON CONFLICT (id) DO UPDATE SET fact = excluded.fact, until = excluded.until`

/** Also deletes up to two expired facts, so that these do not accumulate. */
const REMOVE = `DELETE FROM filemgr_facts WHERE id = ANY ($1) OR id IN (
  SELECT id FROM filemgr_facts WHERE until < clock_timestamp() LIMIT 2 FOR UPDATE SKIP LOCKED)`

/** Uses a connection of its own, so that a sign-in does not wait for changes of accounts. */
export function createPostgresFacts(url: string): SharedFacts & AsyncDisposable {
  const transactions = new Transactions(url, async (connection) => {
    await connection.query(BRIEF)
  })
  return {
    async change(keys, change) {
      const ids = keys.map(idOf).toSorted()
      const begin = async (connection: Connection) => {
        await connection.query('BEGIN')
        await connection.query(LOCK, [ids])
      }
      return await transactions.run(begin, async (connection) => {
        const { now, found } = await read(connection, keys)
        const { facts, changes } = draftFacts(found, now)
        const result = change(facts)
        await write(connection, changes)
        await connection.query('COMMIT')
        return result
      })
    },
    [Symbol.asyncDispose]: async () => await transactions[Symbol.asyncDispose](),
  }
}

/** A hash of fixed length: the key may contain a password that was typed into the username field. */
function idOf(key: string): string {
  return createHash('sha256').update(bytesOfText(key)).digest('base64url')
}

async function read(connection: Connection, keys: readonly string[]) {
  interface Joined {
    readonly now: number
    readonly id: string | null
    readonly fact: unknown
  }
  const keyOf = new Map(keys.map((key) => [idOf(key), key]))
  const { rows } = await connection.query<Joined>(READ, [[...keyOf.keys()]])
  const found = rows.flatMap(({ id, fact }) => (id === null ? [] : [[keyOf.get(id) ?? '', fact] as const]))
  return { now: rows[0]?.now ?? 0, found: new Map(found) }
}

async function write(connection: Connection, changes: DraftedFacts['changes']): Promise<void> {
  const made = [...changes].flatMap(([key, fact]) =>
    fact === undefined ? [] : [{ id: idOf(key), fact: fact.value, lifetime: fact.lifetime }],
  )
  const removed = [...changes].flatMap(([key, fact]) => (fact === undefined ? [idOf(key)] : []))
  if (made.length > 0) await connection.query(PUT, [storedJson(made)])
  if (changes.size > 0) await connection.query(REMOVE, [removed])
}
