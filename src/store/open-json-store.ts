import { readdir, rename, unlink } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Static, TSchema } from 'typebox'
import { fail, isFilemgrError, type FilemgrError } from '../domain/errors.ts'
import { systemClock, type Clock } from '../platform/clock.ts'
import { temporariesOf, writeAtomic } from './atomic-file.ts'
import { diskFailure, unlessErrno, type Disk } from './disk.ts'
import { createDocumentCodec, type DocumentCodec, type DocumentFormat } from './document-codec.ts'
import { newestValidCopy } from './recovery-copies.ts'
import { JsonAdapter } from './json-adapter.ts'
import { JsonStore } from './json-store.ts'
import { silentLog, type StoreLog } from './store.ts'
import { reachWriter, type Writer } from './writer.ts'

interface JsonStoreOptions<S extends TSchema> extends Omit<DocumentFormat<S>, 'name'> {
  readonly path: string
  /** For data that may start afresh: creates the document when the file is missing or damaged. */
  readonly create?: () => Static<S> & object
  /** How many recovery copies are kept beside the file. */
  readonly copies?: number
  /** False to refuse a damaged file; otherwise the newest recovery copy replaces it, unless a daemon runs. */
  readonly repair?: boolean
  readonly clock?: Clock
  readonly log?: StoreLog
  /** How to get a writer; by default the lock of the folder, or the daemon that has it. */
  readonly reach?: () => Promise<Writer>
  /** Whether the file is watched for changes by others. */
  readonly watches?: boolean
  readonly disk?: Disk
}

/**
 * Opens a document in a JSON file: repairs it after a crash or disk error, and migrates an old version.
 *
 * @throws NOT_FOUND when there is no file and no `create`; STORE_INVALID when it is damaged beyond repair or newer than
 *         this program; STORE_BUSY
 */
export async function openJsonStore<S extends TSchema>(
  options: JsonStoreOptions<S>,
): Promise<JsonStore<Static<S> & object>> {
  try {
    return await open(options)
  } catch (error) {
    throw diskFailure(error, options.path, 'opened')
  }
}

async function open<S extends TSchema>(options: JsonStoreOptions<S>): Promise<JsonStore<Static<S> & object>> {
  const { path, create, version, log = silentLog, copies = 3, disk, watches = false } = options
  const reach = options.reach ?? (async () => await reachWriter(dirname(path)))
  const name = basename(path)
  const codec = createDocumentCodec({ ...options, name })
  const adapter = new JsonAdapter({ path, codec, version, copies, log, ...(disk && { disk }) })
  let found = await readOutcome(adapter)
  if (found.damage?.details['reason'] === 'newer') throw found.damage
  const isOld = adapter.state !== undefined && adapter.state.version < version
  if (found.damage || isOld || (!found.document && !create) || (await temporariesIn(path)).length > 0) {
    using writer = await reach()
    // If a daemon runs, a damaged file is one being edited by hand: repairing it would destroy that work.
    if (writer.handOver === undefined) {
      // With the lock, no other process writes, so every temporary file is a leftover.
      for (const temporary of await temporariesIn(path)) await unlessErrno(unlink(temporary), 'ENOENT')
      found = await readOutcome(adapter)
      if (found.damage || (!found.document && !create)) {
        await repair({ ...options, log, copies }, codec, found.damage)
        found = await readOutcome(adapter)
      }
      if (found.document && adapter.state && adapter.state.version < version) {
        await adapter.write(found.document)
        log.info(`${name} was migrated to version ${version}; the old file is kept beside it.`)
      }
    }
  }
  if (found.damage) throw found.damage
  if (log.isBrief !== true && adapter.state?.isEditedByHand())
    log.info(`${name} was edited by hand; the new content is in use.`)
  const document = found.document ?? codec.admit(create?.() ?? fail('NOT_FOUND', `${path} does not exist.`))
  return new JsonStore({ adapter, codec, document, create, log, reach, watches })
}

/** Temporary files that killed writers left beside a file. */
async function temporariesIn(path: string): Promise<string[]> {
  return temporariesOf(path, await readdir(dirname(path)))
}

interface Outcome<D> {
  readonly document?: Readonly<D> | null
  readonly damage?: FilemgrError
}

async function readOutcome<D extends object>(adapter: JsonAdapter<D>): Promise<Outcome<D>> {
  try {
    return { document: await adapter.read() }
  } catch (error) {
    if (isFilemgrError(error, 'STORE_INVALID')) return { damage: error }
    throw error
  }
}

type Repair = Pick<JsonStoreOptions<TSchema>, 'path' | 'create' | 'repair' | 'clock'> & {
  log: StoreLog
  copies: number
}

/** Replaces a missing or damaged file by the newest recovery copy, if there is one. The damaged file is kept. */
async function repair(options: Repair, codec: DocumentCodec<object>, damage: FilemgrError | undefined): Promise<void> {
  const { path, log, clock = systemClock } = options
  if (options.repair === false) return
  const copy = await newestValidCopy(path, options.copies, (bytes) => isDecodable(codec, bytes))
  if (!copy && !damage) return
  if (!copy && damage && !options.create) {
    fail(
      'STORE_INVALID',
      `${damage.message}. There is no recovery copy of ${path}: repair the file, or restore a backup.`,
      damage.details,
    )
  }
  const kept = `${path}.corrupt-${new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')}`
  if (damage) await rename(path, kept)
  if (copy) await writeAtomic(path, copy.bytes)
  const what = damage ? `${damage.message}. The damaged file is kept as ${basename(kept)}` : `${codec.name} is gone`
  log.warn(`${what}; ${copy ? `its newest recovery copy, ${basename(copy.path)}, is used` : 'a new one is created'}.`)
}

function isDecodable(codec: DocumentCodec<object>, bytes: Uint8Array): boolean {
  try {
    codec.decode(bytes)
    return true
  } catch (error) {
    if (isFilemgrError(error, 'STORE_INVALID')) return false
    throw error
  }
}
