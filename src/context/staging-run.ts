import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../platform/logging/logger.ts'
import { StagedNames, type Stager } from '../storage/reserved-names.ts'
import { writeAtomic } from '../store/disk/atomic-file.ts'
import { unlessErrno } from '../store/disk/disk.ts'

/** Created once per data folder. */
const INSTALLATION = 'installation.id'
/** Exists while a daemon runs, and afterwards if it left staged files behind. */
const RUN = 'staging.run'
const ID = /^[0-9a-f]{8}$/

/** The names of files that one run of the daemon stages. */
export interface StagingRun extends AsyncDisposable {
  readonly names: StagedNames
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

/** The ids in this installation's staged names, for other processes. @param isRunning whether a daemon is running */
export async function readStager(folder: string, isRunning: boolean): Promise<Stager | undefined> {
  const installation = await readId(join(folder, INSTALLATION))
  const run = isRunning ? await readId(join(folder, RUN)) : undefined
  return installation === undefined ? undefined : { installation, run: run ?? '' }
}

async function begin(folder: string): Promise<StagedNames> {
  const installation = (await readId(join(folder, INSTALLATION))) ?? (await writeId(join(folder, INSTALLATION)))
  const left = await unlessErrno(readFile(join(folder, RUN)), 'ENOENT')
  const run = await writeId(join(folder, RUN))
  return new StagedNames({ installation, run }, left !== undefined)
}

async function readId(path: string): Promise<string | undefined> {
  const text = await unlessErrno(readFile(path, 'utf8'), 'ENOENT')
  return text !== undefined && ID.test(text) ? text : undefined
}

async function writeId(path: string): Promise<string> {
  const id = randomBytes(4).toString('hex')
  await writeAtomic(path, Buffer.from(id))
  return id
}
