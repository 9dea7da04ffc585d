import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'

/** A PostgreSQL server that follows another one. */
export interface Standby extends AsyncDisposable {
  /** @returns the URL of the same database at this server */
  at(url: string): string
  /** From then on it lacks what the primary server commits. First takes over what that has committed so far. */
  detach(): Promise<void>
  /** From then on it has all that the primary server commits, which waits for it. */
  attach(): Promise<void>
  /** Makes it a primary server, at its own address. */
  promote(): Promise<void>
  /** Moves it to the address of the primary server, which must be stopped. */
  takeAddress(): Promise<void>
  /** Stops it as a crash of the machine would. */
  stop(): Promise<void>
  /** Starts it again at the address that it has taken. */
  start(): Promise<void>
}

interface StandbyDeps {
  readonly run: (program: string, ...args: string[]) => Promise<string>
  readonly query: (url: string, sql: string) => Promise<string>
  /** Does not exist yet. */
  readonly folder: string
  /** Of the primary server. */
  readonly port: number
}

export async function startStandby({ run, query, folder, port }: StandbyDeps): Promise<Standby> {
  const own = await freePort()
  const primary = `postgres://postgres@127.0.0.1:${port}/postgres`
  const at = (url: string) => Object.assign(new URL(url), { port: String(own) }).href
  const server = async (...args: string[]) => {
    await run('pg_ctl', '--pgdata', folder, '--wait', '--silent', ...args)
  }
  const start = async (listen: number) => await server('start', '--log', join(folder, 'log'), '-o', `-p ${listen}`)
  const until = async (url: string, sql: string) => {
    while ((await query(url, `SELECT ${sql}`)) !== 't') await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await run('pg_basebackup', '--pgdata', folder, '--write-recovery-conf', '--checkpoint=fast', '--dbname', primary)
  await appendFile(join(folder, 'postgresql.conf'), "\nunix_socket_directories = ''\n")
  await start(own)
  return {
    at,
    async detach() {
      const written = await query(primary, 'SELECT pg_current_wal_lsn()')
      await until(at(primary), `pg_last_wal_replay_lsn() >= '${written}'`)
      await query(at(primary), "ALTER SYSTEM SET primary_conninfo = ''")
      await query(at(primary), 'SELECT pg_reload_conf()')
      await until(at(primary), 'NOT EXISTS (SELECT FROM pg_stat_wal_receiver)')
    },
    async attach() {
      await query(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'")
      await query(primary, 'SELECT pg_reload_conf()')
      await until(primary, "EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')")
    },
    promote: async () => await server('promote'),
    async takeAddress() {
      await server('stop', '--mode', 'fast')
      await start(port)
    },
    stop: async () => await server('stop', '--mode', 'immediate'),
    start: async () => await start(port),
    async [Symbol.asyncDispose]() {
      await server('stop', '--mode', 'immediate').catch(() => undefined)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
