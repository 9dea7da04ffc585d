import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { UploadRecord } from '../domain/uploads/upload.ts'
import type { Logger } from '../platform/logging/logger.ts'
import { LEFT_LEASE, RUN_LEASE } from '../services/server/chores/hidden-files.ts'
import { pause } from '../services/server/chores/under-lease.ts'
import { type OtherRuns, runOf, StagedNames, type Stager } from '../storage/reserved-names.ts'
import { writeAtomic } from '../store/disk/atomic-file.ts'
import { unlessErrno } from '../platform/files/error-code.ts'
import type { Leases, Records } from '../store/store.ts'

/** Created once per data folder. */
const INSTALLATION = 'installation.id'
/** Exists while a daemon runs, and afterwards if it left staged files behind. */
const RUN = 'staging.run'
const ID = /^[0-9a-f]{8}$/
/** Milliseconds between two tries to get a lease. */
const RETRY = 1000

/** The names of files that one run of the daemon stages. */
export interface StagingRun extends AsyncDisposable {
  readonly names: StagedNames
}

/** Whether a folder has, or had, a store in files, and not only what belongs to this machine beside a database. */
export function hadStore(folder: string): boolean {
  return ['store.json', INSTALLATION].some((name) => existsSync(join(folder, name)))
}

/** Unfinished uploads need their staged files, whichever run began them. */
export function keepForUploads(names: StagedNames, records: Pick<Records<UploadRecord>, 'list'>): void {
  names.neededByUploads = async () => new Set((await records.list()).map(({ staged }) => staged))
}

/**
 * Begins a run. Only for the holder of the data lock: then an existing run file must be from a killed daemon, which may have
 * left staged files behind. A read-only data folder does not prevent the start.
 */
export async function beginStaging(folder: string, log: Logger): Promise<StagingRun> {
  const names = await begin(folder).catch((error: unknown) => {
    log.warn({ err: error }, 'if this daemon is killed, its leftover files cannot be recognized later')
    return new StagedNames()
  })
  return {
    names,
    async [Symbol.asyncDispose]() {
      // If this fails, the next run only searches for leftovers that do not exist.
      if (names.stager !== undefined && names.isClean) await rm(join(folder, RUN)).catch(() => undefined)
    },
  }
}

/**
 * The same for daemons that share a store. The lease of a run shows that it is alive; without it, another daemon removes the
 * files that the run left behind. A daemon that loses its lease continues as a new run.
 */
export function beginSharedStaging(leases: Pick<Leases, 'tryAcquire'>): StagingRun {
  const names = new StagedNames(newStager())
  const noting = new Set<Promise<void>>()
  const [stopping, end] = [new AbortController(), new AbortController()]
  const note = async (name: string): Promise<void> => {
    try {
      await (await leases.tryAcquire(LEFT_LEASE + name))?.abandon()
    } catch {
      // The database is away. If the daemon stops before it is back, the file stays until its folder is removed.
      if (stopping.signal.aborted) return
      await pause(RETRY, stopping.signal)
      await note(name)
    }
  }
  // A daemon may end an upload that another one has begun, and whose folder was moved. That one may stop at this moment.
  names.onForeignLeft = (name) => {
    const noted = note(name)
    noting.add(noted)
    void noted.finally(() => noting.delete(noted))
  }
  const keep = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const lease = await leases.tryAcquire(RUN_LEASE + runOf(names.stager ?? newStager())).catch(() => undefined)
      if (lease === undefined) await pause(RETRY, end.signal)
      else {
        await aborted(AbortSignal.any([lease.signal, end.signal]))
        if (lease.signal.aborted) names.startNewRun(newStager())
        // Another daemon sweeps the files of an abandoned run.
        if (lease.isLost || names.isClean) await lease[Symbol.asyncDispose]()
        else await lease.abandon()
      }
    }
  }
  const kept = keep()
  return {
    names,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await Promise.all(noting)
      end.abort()
      await kept
    },
  }
}

function newStager(): Stager {
  return { installation: newId(), run: newId() }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

/** The runs that are alive or dead according to their leases, for a process that stages nothing itself. */
export async function runsOf(leases: Pick<Leases, 'list'>): Promise<OtherRuns> {
  const runs = (await leases.list(RUN_LEASE)).map(({ name, isHeld }) => ({ isHeld, run: name.slice(RUN_LEASE.length) }))
  const { alive, dead } = Object.groupBy(runs, ({ isHeld }) => (isHeld ? 'alive' : 'dead'))
  return { alive: alive?.map(({ run }) => run) ?? [], dead: dead?.map(({ run }) => run) ?? [] }
}

/** The ids in this installation's staged names, for other processes. @param isRunning whether a daemon is running */
export async function readStager(folder: string, isRunning: boolean): Promise<Stager | undefined> {
  const installation = await readId(join(folder, INSTALLATION))
  const run = isRunning ? await readId(join(folder, RUN)) : undefined
  return installation === undefined ? undefined : { installation, run: run ?? '' }
}

async function begin(folder: string): Promise<StagedNames> {
  const installation = (await readId(join(folder, INSTALLATION))) ?? (await writeId(join(folder, INSTALLATION)))
  const previousRun = await unlessErrno(readFile(join(folder, RUN)), 'ENOENT')
  const run = await writeId(join(folder, RUN))
  return new StagedNames({ installation, run }, previousRun !== undefined)
}

async function readId(path: string): Promise<string | undefined> {
  const text = await unlessErrno(readFile(path, 'utf8'), 'ENOENT')
  return text !== undefined && ID.test(text) ? text : undefined
}

async function writeId(path: string): Promise<string> {
  const id = newId()
  await writeAtomic(path, Buffer.from(id))
  return id
}

function newId(): string {
  return randomBytes(4).toString('hex')
}
