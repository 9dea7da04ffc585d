import { readdir, rename, unlink } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Static, TSchema } from 'typebox'
import { fail, isFilemgrError, type FilemgrError } from '../domain/errors.ts'
import { systemClock, type Clock } from '../platform/clock.ts'
import { temporariesOf, writeAtomic } from './atomic-file.ts'
import { diskFailure } from './disk-failure.ts'
import { unlessErrno, type Disk } from './disk.ts'
import { createDocumentCodec, type DocumentCodec, type DocumentFormat } from './document-codec.ts'
import { newestGoodCopy } from './good-copies.ts'
import { JsonAdapter } from './json-adapter.ts'
import { JsonStore } from './json-store.ts'
import { silentLog, type StoreLog } from './store-log.ts'
import { reachWriter, type Writer } from './writer.ts'

interface JsonStoreOptions<S extends TSchema> extends Omit<DocumentFormat<S>, 'name'> {
  readonly path: string
  /** For data that may start afresh: the document to use when there is no file, or only a damaged one. */
  readonly create?: () => Static<S> & object
  /** How many good copies are kept beside the file. */
  readonly copies?: number
  /** False to refuse a damaged file; otherwise the newest good copy takes its place, unless a daemon runs. */
  readonly repair?: boolean
  readonly clock?: Clock
  readonly log?: StoreLog
  /** The way to write; by default the lock of the folder, or the daemon that runs on it. */
  readonly reach?: () => Promise<Writer>
  /** Whether it hears of changes of the file by others. */
  readonly watches?: boolean
  readonly disk?: Disk
}

/**
 * Opens a document in a JSON file: repairs what a crash or a bad disk left, and brings an old version up to date.
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
    // A file that is damaged under the eyes of a daemon is being edited by somebody, who is not to lose the work.
    if (writer.handOver === undefined) {
      // Under the lock nobody else writes, so every temporary file is a dead one.
      for (const temporary of await temporariesIn(path)) await unlessErrno(unlink(temporary), 'ENOENT')
      found = await readOutcome(adapter)
      if (found.damage || (!found.document && !create)) {
        await repair({ ...options, log, copies }, codec, found.damage)
        found = await readOutcome(adapter)
      }
      if (found.document && adapter.state && adapter.state.version < version) {
        await adapter.write(found.document)
        log.info(`${name} was brought up to version ${version}; the old file is kept beside it.`)
      }
    }
  }
  if (found.damage) throw found.damage
  if (log.isBrief !== true && adapter.state?.isByHand()) log.info(`${name} was edited by hand and is taken over.`)
  const document = found.document ?? codec.admit(create?.() ?? fail('NOT_FOUND', `${path} does not exist.`))
  return new JsonStore({ adapter, codec, document, create, log, reach, watches })
}

/** What killed writers may have left beside a file. */
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

/** Puts the newest good copy in the place of a missing or damaged file, which is kept. Without a copy it stays as it is. */
async function repair(options: Repair, codec: DocumentCodec<object>, damage: FilemgrError | undefined): Promise<void> {
  const { path, log, clock = systemClock } = options
  if (options.repair === false) return
  const copy = await newestGoodCopy(path, options.copies, (bytes) => isDecodable(codec, bytes))
  if (!copy && !damage) return
  if (!copy && damage && !options.create) {
    fail(
      'STORE_INVALID',
      `${damage.message}. There is no good copy beside ${path}: repair the file, or put a backup in its place.`,
      damage.details,
    )
  }
  const kept = `${path}.corrupt-${new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')}`
  if (damage) await rename(path, kept)
  if (copy) await writeAtomic(path, copy.bytes)
  const what = damage ? `${damage.message}. The damaged file is kept as ${basename(kept)}` : `${codec.name} is gone`
  log.warn(`${what}; ${copy ? `its last good copy, ${basename(copy.path)}, is used` : 'a new one is begun'}.`)
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
