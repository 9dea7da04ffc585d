import { readFile, stat, unlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { fail } from '../domain/errors.ts'
import { parseJson } from '../domain/parse-json.ts'
import { ServerOptions } from '../domain/server-options.ts'
import { createValueCheck } from '../platform/value-check.ts'
import { writeAtomic } from '../store/atomic-file.ts'
import { unlessErrno } from '../store/disk.ts'
import { takeFileLock } from '../store/file-lock.ts'
import { describeThisProcess, isRunning, LockHolder } from '../store/lock-holder.ts'

const HEARTBEAT = 10_000
/** The daemon of another machine or container, whose process nobody here can see, is gone when it is silent this long. */
const SILENCE = 3.5 * HEARTBEAT

/** daemon.json: the one daemon that runs on a data folder. */
const DaemonRecord = Type.Object({
  pid: Type.Integer({ minimum: 1 }),
  /** Empty until it listens. */
  url: Type.String(),
  /** Path of the unix socket, when it listens on one. */
  socket: Type.Optional(Type.String()),
  version: Type.String(),
  /** Where it keeps thumbnails; empty in the data folder. */
  cacheDir: Type.Optional(Type.String()),
  /** Whether the terminal and hooks run, which only a start may grant. */
  enableExec: Type.Optional(Type.Boolean()),
  /** RFC 3339. */
  started: Type.String(),
  /** Of the start-up values in force, those that no flag, variable or config file decides: a restart may change them. */
  fromStore: Type.Partial(ServerOptions),
  holder: LockHolder,
})
export type DaemonRecord = Static<typeof DaemonRecord>

const check = createValueCheck(DaemonRecord)

const recordPath = (folder: string) => join(folder, 'daemon.json')

/** The daemon of a data folder, unless none runs: a record that a killed daemon left behind counts for nothing. */
export async function readDaemon(folder: string): Promise<DaemonRecord | undefined> {
  const record = await readRecord(folder)
  if (record === undefined) return undefined
  const running = isRunning(record.holder) ?? (await wasHeardOf(folder))
  return running ? record : undefined
}

/** The right to be the daemon of a data folder. It ends with the process, however that ends. */
export class DaemonClaim implements AsyncDisposable {
  readonly #folder: string
  readonly #heartbeat: NodeJS.Timeout
  #record: DaemonRecord

  private constructor(folder: string, record: DaemonRecord) {
    this.#folder = folder
    this.#record = record
    this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT).unref()
  }

  /** @throws STORE_BUSY naming the daemon that runs already */
  static async take(folder: string, version: string): Promise<DaemonClaim> {
    // Of two that start at the same moment, one must see the record of the other.
    await using _lock = await takeFileLock(join(folder, 'daemon.lock'))
    const other = await readDaemon(folder)
    if (other !== undefined) {
      const where = other.url === '' ? 'and is just starting' : `at ${other.url}`
      fail(
        'STORE_BUSY',
        `${folder} is in use by the daemon with pid ${other.pid} ${where}; end it, or choose another --data`,
      )
    }
    const holder = describeThisProcess()
    const started = new Date().toISOString()
    const claim = new DaemonClaim(folder, { pid: process.pid, url: '', version, started, fromStore: {}, holder })
    await claim.#write()
    return claim
  }

  /** Tells other processes where the daemon is to be reached. */
  async publish(facts: Pick<DaemonRecord, 'url' | 'socket' | 'cacheDir' | 'enableExec' | 'fromStore'>): Promise<void> {
    this.#record = { ...this.#record, ...facts }
    await this.#write()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#heartbeat)
    if ((await readRecord(this.#folder))?.holder.id === this.#record.holder.id) await unlink(recordPath(this.#folder))
  }

  async #write(): Promise<void> {
    await writeAtomic(recordPath(this.#folder), Buffer.from(JSON.stringify(this.#record)), { durable: false })
  }

  /** A record that somebody removed is written again. What the disk refuses is tried again with the next beat. */
  async #beat(): Promise<void> {
    const now = new Date()
    try {
      await utimes(recordPath(this.#folder), now, now)
    } catch {
      await this.#write().catch(() => undefined)
    }
  }
}

async function readRecord(folder: string): Promise<DaemonRecord | undefined> {
  const text = await unlessErrno(readFile(recordPath(folder), 'utf8'), 'ENOENT', 'ENOTDIR')
  if (text === undefined) return undefined
  const parsed = parseJson(text)
  // Somebody else's file is replaced at the next start.
  return check.accepts(parsed, text.length) ? parsed : undefined
}

async function wasHeardOf(folder: string): Promise<boolean> {
  const found = await unlessErrno(stat(recordPath(folder)), 'ENOENT')
  return found !== undefined && Date.now() - found.mtimeMs < SILENCE
}
