import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Adapter } from 'lowdb'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import { writeAtomic } from '../disk/atomic-file.ts'
import { diskFailure, nodeDisk, unlessErrno, type Disk } from '../disk/disk.ts'
import type { Decoded, DocumentCodec } from './document-codec.ts'
import { keptNameOf } from './going-back.ts'
import { keepCopy } from './recovery-copies.ts'
import type { StoreLog } from '../store.ts'

interface JsonAdapterDeps<D extends object> {
  readonly path: string
  readonly codec: DocumentCodec<D>
  /** How many recovery copies are kept. */
  readonly copies: number
  readonly log: StoreLog
  readonly disk?: Disk
}

/** The content of the file as last read or written. */
interface FileState<D> extends Decoded<D> {
  readonly bytes: Uint8Array
}

/** Milliseconds between reads of a file that an editor may be writing in place. */
const RETRY_DELAY = 100
const MAX_TRIES = 5

/** A lowdb adapter for one file. lowdb's own have no validation, migration, fsync or recovery copies. */
export class JsonAdapter<D extends object> implements Adapter<Readonly<D>> {
  readonly path: string
  readonly #deps: JsonAdapterDeps<D>
  #state: FileState<D> | undefined

  constructor(deps: JsonAdapterDeps<D>) {
    this.path = deps.path
    this.#deps = deps
  }

  /** The file as last read or written; undefined while it does not exist. */
  get state(): FileState<D> | undefined {
    return this.#state
  }

  /** Digest of the content as last read or written; "" without a file. */
  get digest(): string {
    return this.#state === undefined ? '' : createHash('sha256').update(this.#state.bytes).digest('base64url')
  }

  /** Whether the file already has this content. */
  contains(document: Readonly<D>): boolean {
    return this.#isKnown(this.#deps.codec.encode(document))
  }

  /**
   * Null when there is no file. Reads again if an editor may be in the middle of writing it.
   *
   * @throws STORE_INVALID when it is damaged, or newer than this program
   */
  async read(): Promise<Readonly<D> | null> {
    let before: Uint8Array | undefined
    for (let tries = 1; ; tries++) {
      const bytes = await unlessErrno(readFile(this.path), 'ENOENT')
      const isFinal = tries === MAX_TRIES || (tries > 1 && areSame(bytes, before))
      try {
        return this.#take(bytes, isFinal)
      } catch (error) {
        if (isFinal || !isFilemgrError(error, 'STORE_INVALID')) throw error
      }
      before = bytes
      await sleep(RETRY_DELAY)
    }
  }

  /** Does nothing if the file already has this content. @throws NO_SPACE or STORE_INVALID; the old content then stays. */
  async write(document: Readonly<D>): Promise<void> {
    const { path, codec, disk = nodeDisk } = this.#deps
    const bytes = codec.encode(document)
    if (this.#isKnown(bytes)) return
    const old = this.#state
    try {
      if (old && codec.isOld(old)) await writeAtomic(keptNameOf(path, old), old.bytes, { disk })
      await writeAtomic(path, bytes, { disk, previous: old?.bytes, confirm: () => this.#confirmUnchanged() })
    } catch (error) {
      throw diskFailure(error, codec.name, 'saved')
    }
    this.#state = { ...codec.origin(), document, bytes }
    await this.#keepCopy(bytes)
  }

  #isKnown(bytes: Uint8Array): boolean {
    return areSame(bytes, this.#state?.bytes)
  }

  #take(bytes: Uint8Array | undefined, isFinal: boolean): Readonly<D> | null {
    const { codec } = this.#deps
    if (!bytes && this.#state && !isFinal) fail('STORE_INVALID', `${codec.name} is gone.`)
    if (!bytes) this.#state = undefined
    else if (!this.#isKnown(bytes)) this.#state = { ...codec.decode(bytes), bytes }
    return this.#state?.document ?? null
  }

  /** Editors do not take the lock: what one saved since the last read must not be overwritten. */
  async #confirmUnchanged(): Promise<void> {
    const now = await unlessErrno(readFile(this.path), 'ENOENT')
    if (areSame(now, this.#state?.bytes)) return
    fail('STORE_BUSY', `${this.#deps.codec.name} was just edited by hand, so nothing was saved. Try again.`)
  }

  /** The write itself has succeeded, so a copy that cannot be made is only logged. */
  async #keepCopy(bytes: Uint8Array): Promise<void> {
    const { path, copies, log, codec } = this.#deps
    try {
      await keepCopy(path, bytes, copies)
    } catch (error) {
      log.warn(`${codec.name} was saved, but its recovery copy was not: ${String(error)}`)
    }
  }
}

function areSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one && other ? Buffer.compare(one, other) === 0 : one === other
}
