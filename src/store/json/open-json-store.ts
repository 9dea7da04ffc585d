import { rename } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Static, TSchema } from 'typebox'
import { fail, isFilemgrError, type FilemgrError, isDaemonsTurn, problemIn } from '../../domain/errors.ts'
import { systemClock, type Clock } from '../../platform/clock.ts'
import { silentLogger } from '../../platform/logging/logger.ts'
import { writeAtomic } from '../disk/atomic-file.ts'
import { diskFailure, type Disk } from '../disk/disk.ts'
import { createDocumentCodec, type DocumentCodec, type DocumentFormat } from './document-codec.ts'
import { preUpgradePathOf, withDowngradeHint } from './downgrade.ts'
import { newestValidCopy, timeStamp } from './recovery-copies.ts'
import { JsonAdapter } from './json-adapter.ts'
import { JsonStore } from './json-store.ts'
import type { StoreLog } from '../store.ts'
import { takeDataLock } from '../writer/data-lock.ts'

interface JsonStoreOptions<S extends TSchema> extends Omit<DocumentFormat<S>, 'name'> {
  readonly path: string
  /** How many recovery copies are kept beside the file. */
  readonly copies?: number
  /** False to refuse a damaged file; otherwise the newest recovery copy replaces it, unless a daemon runs. */
  readonly repair?: boolean
  /** True for the daemon, which holds the lock of the folder from its start to its end. */
  readonly daemon?: boolean
  readonly clock?: Clock
  readonly log?: StoreLog
  readonly disk?: Disk
  /** Bytes of the journal at which the whole document is written. */
  readonly journalLimit?: number
}

/**
 * Opens a document in a JSON file: repairs it after a crash or disk error, and upgrades the file of an older filemgr, keeping a
 * copy.
 *
 * @throws NOT_FOUND when there is no file; STORE_INVALID when it is damaged beyond repair or newer than this program;
 *         STORE_BUSY
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
  const { path, log = silentLogger, copies = 3, disk, clock, journalLimit, daemon = false } = options
  const lock = async () => (daemon ? LOCK_HELD : await takeDataLock(dirname(path)))
  const name = basename(path)
  const codec = createDocumentCodec({ ...options, name })
  const adapter = new JsonAdapter({ path, codec, copies, log, ...(disk && { disk }), ...(clock && { clock }) })
  const isOld = () => adapter.state !== undefined && codec.isOld(adapter.state)
  let found = await readOutcome(adapter)
  if (!found.document || isOld() || adapter.needsNewJournal || daemon) {
    // If a daemon runs, a damaged file is one being edited by hand: repairing it would destroy that work.
    using held = await lock().catch((error: unknown) => {
      if (!isDaemonsTurn(error)) throw error
      return undefined
    })
    if (held !== undefined) {
      // Another process may have repaired it.
      found = await readOutcome(adapter)
      if (!found.document && options.repair !== false && found.damage?.details.reason !== 'newer') {
        await repair({ ...options, log, copies }, codec, found.damage)
        found = await readOutcome(adapter)
      }
      if (found.document && options.repair !== false) await adapter.continueJournal()
      if (found.document && isOld()) {
        const { state } = adapter
        await adapter.write(found.document)
        if (state !== undefined)
          log.info(`${name} was upgraded; the previous version is kept as ${basename(preUpgradePathOf(path, state))}.`)
      }
    }
  }
  if (found.damage) throw await withDowngradeHint(found.damage, path, (bytes) => isDecodable(codec, bytes))
  const document = found.document ?? fail('NOT_FOUND', `${path} does not exist.`)
  return new JsonStore({ adapter, codec, document, log, lock, isDaemon: daemon, journalLimit })
}

const LOCK_HELD: Disposable = { [Symbol.dispose]: () => undefined }

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

type Repair = Pick<JsonStoreOptions<TSchema>, 'path' | 'clock'> & { log: StoreLog; copies: number }

/** Replaces a missing or damaged file by the newest recovery copy. The damaged file is kept. */
async function repair(options: Repair, codec: DocumentCodec<object>, damage: FilemgrError | undefined): Promise<void> {
  const { path, log, clock = systemClock } = options
  const copy = await newestValidCopy(path, options.copies, (bytes) => isDecodable(codec, bytes))
  if (!copy && !damage) return
  if (!copy)
    fail(
      'STORE_INVALID',
      `${damage?.message ?? ''}. There is no recovery copy of ${path}: repair the file, or restore a backup.`,
      damage?.details,
    )
  const kept = `${path}.corrupt-${timeStamp(clock)}`
  if (damage) await rename(path, kept)
  await writeAtomic(path, copy.bytes)
  const what = damage ? `${damage.message}. The damaged file is kept as ${basename(kept)}` : `${codec.name} is gone`
  log.warn(`${what}; its newest recovery copy, ${basename(copy.path)}, is used.`)
}

function isDecodable(codec: DocumentCodec<object>, bytes: Uint8Array): boolean {
  return problemIn(() => void codec.decode(bytes), 'STORE_INVALID') === undefined
}
