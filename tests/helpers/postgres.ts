import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { appendFile, chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startStandby, type Standby } from './cluster/standby.ts'
import { freePort } from './free-port.ts'

/** Where Debian installs PostgreSQL, newest version last. */
const PROGRAMS = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1) ?? ''

/** The role that needs a password. */
const GUARDED = 'guarded'

/** Names the data folder to copy, which takes a tenth of the time of making one. */
const TEMPLATE = 'FILEMGR_TEST_DATABASE'

let template = ''

/** Makes a data folder for all servers of a run (`globalSetup`). */
export async function setup(): Promise<void> {
  template = await newFolder()
  await initialise(template)
  process.env[TEMPLATE] = template
}

export async function teardown(): Promise<void> {
  await rm(template, { recursive: true, force: true })
}

/** A PostgreSQL server of its own, on a loopback port. Disposing stops it and removes its data. */
export interface TestPostgres extends AsyncDisposable {
  /** The id of its main process. */
  readonly pid: () => Promise<number>
  /** Creates an empty database that belongs to `filemgr`, which needs no password. @returns its URL */
  database(): Promise<string>
  /** The URL of the same database for another role. */
  as(user: string, url: string, password?: string): string
  /** Runs SQL as the superuser, and returns what it prints. */
  query(url: string, sql: string): Promise<string>
  /** Stops the server as a crash of the machine would. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Starts a standby that follows this server, without making it wait. */
  standby(): Promise<Standby>
}

/**
 * Roles: `filemgr`; `guest`, which owns nothing; `guarded`, which needs the password "open-sesame".
 *
 * @param more lines of its configuration
 * @param prepare called with the id of the account that runs it, before it starts
 */
export async function startPostgres(
  more: readonly string[] = [],
  prepare: (uid: number) => void = () => undefined,
): Promise<TestPostgres> {
  const folder = await newFolder()
  const data = join(folder, 'data')
  const port = await freePort()
  const run = async (program: string, ...args: string[]): Promise<string> =>
    await asAccount(folder, join(PROGRAMS, program), ...args)
  const server = async (...args: string[]): Promise<void> => {
    await run('pg_ctl', '--pgdata', data, '--wait', '--silent', ...args)
  }
  const query = async (url: string, sql: string) =>
    (
      await run('psql', '-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', asUser('postgres', url), '-c', sql)
    ).trim()
  const address = (name: string) => `postgres://filemgr@127.0.0.1:${port}/${name}`
  const start = async () => await server('start', '--log', join(data, 'log'))
  let count = 0

  await initialise(folder)
  const settings = [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    `unix_socket_directories = '${folder}'`,
    'fsync = off',
    ...more,
  ]
  await appendFile(join(data, 'postgresql.conf'), settings.join('\n'))
  const access = join(data, 'pg_hba.conf')
  await writeFile(access, `host all ${GUARDED} all scram-sha-256\n${await readFile(access, 'utf8')}`)
  prepare((await stat(data)).uid)
  await start()
  const roles = `CREATE ROLE filemgr LOGIN; CREATE ROLE guest LOGIN; CREATE ROLE ${GUARDED} LOGIN PASSWORD 'open-sesame' SUPERUSER`
  await query(address('postgres'), roles)
  return {
    query,
    start,
    stop: async () => await server('stop', '--mode', 'immediate'),
    standby: async () => await startStandby({ run, query, folder: join(folder, `standby${++count}`), port }),
    pid: async () => Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]),
    as: asUser,
    async database() {
      const name = `test${++count}`
      await query(address('postgres'), `CREATE DATABASE ${name} OWNER filemgr`)
      return address(name)
    },
    async [Symbol.asyncDispose]() {
      await server('stop', '--mode', 'immediate').catch(() => undefined)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Puts an empty data folder into it. */
async function initialise(folder: string): Promise<void> {
  const made = process.env[TEMPLATE]
  const data = join(folder, 'data')
  if (made !== undefined) {
    await asAccount(folder, 'cp', '-a', join(made, 'data'), data)
    return
  }
  const how = ['--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync']
  await asAccount(folder, join(PROGRAMS, 'initdb'), '--pgdata', data, ...how)
}

/** A folder to which the account "postgres" has access. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'filemgr-postgres-'))
  await chmod(folder, 0o777)
  return folder
}

/** Runs a program as an account that the server accepts: it refuses to run as root. @returns what it prints */
async function asAccount(folder: string, ...line: string[]): Promise<string> {
  const account = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : []
  const [command = '', ...args] = [...account, ...line]
  return (await promisify(execFile)(command, args, { cwd: folder })).stdout
}

function asUser(user: string, url: string, password = ''): string {
  return Object.assign(new URL(url), { username: user, password }).href
}
