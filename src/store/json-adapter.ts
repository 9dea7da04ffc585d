import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Adapter } from 'lowdb'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail, isFilemgrError } from '../domain/errors.ts'
import { writeAtomic } from './atomic-file.ts'
import { diskFailure } from './disk-failure.ts'
import { nodeDisk, unlessErrno, type Disk } from './disk.ts'
import type { Decoded, DocumentCodec } from './document-codec.ts'
import { keepCopy } from './good-copies.ts'
import type { StoreLog } from './store-log.ts'

interface JsonAdapterDeps<D extends object> {
  readonly path: string
  readonly codec: DocumentCodec<D>
  /** Today's version of the document. */
  readonly version: number
  /** How many good copies are kept. */
  readonly copies: number
  readonly log: StoreLog
  readonly disk?: Disk
}

/** What is known of the file: its bytes and what they mean. */
interface FileState<D> extends Decoded<D> {
  readonly bytes: Uint8Array
}

/** An editor that writes in place is caught half way for less than this many milliseconds. */
const SETTLING = 100
const MOST_TRIES = 5

/** lowdb's view of one file of ours. Its own adapters know no validation, no migration, no fsync and no good copies. */
export class JsonAdapter<D extends object> implements Adapter<Readonly<D>> {
  readonly path: string
  readonly #deps: JsonAdapterDeps<D>
  #state: FileState<D> | undefined

  constructor(deps: JsonAdapterDeps<D>) {
    this.path = deps.path
    this.#deps = deps
  }

  /** The file as it was last read or written by this adapter; undefined while there is none. */
  get state(): FileState<D> | undefined {
    return this.#state
  }

  /** Tells the content of the file, as it was last read or written, from any other. */
  get digest(): string {
    return this.#state === undefined ? '' : createHash('sha256').update(this.#state.bytes).digest('base64url')
  }

  /** Whether the file says this already. */
  says(document: Readonly<D>): boolean {
    return this.#isKnown(this.#deps.codec.encode(document))
  }

  /**
   * Null when there is no file. A file that is being written by an editor is given the time to become whole.
   *
   * @throws STORE_INVALID when it is damaged, or newer than this program
   */
  async read(): Promise<Readonly<D> | null> {
    let before: Uint8Array | undefined
    for (let tries = 1; ; tries++) {
      const bytes = await unlessErrno(readFile(this.path), 'ENOENT')
      const isFinal = tries === MOST_TRIES || (tries > 1 && areSame(bytes, before))
      try {
        return this.#take(bytes, isFinal)
      } catch (error) {
        if (isFinal || !isFilemgrError(error, 'STORE_INVALID')) throw error
      }
      before = bytes
      await sleep(SETTLING)
    }
  }

  /** Does nothing when the file already says so. @throws NO_SPACE or STORE_INVALID; the old content is in place then. */
  async write(document: Readonly<D>): Promise<void> {
    const { path, codec, version, disk = nodeDisk } = this.#deps
    const bytes = codec.encode(document)
    if (this.#isKnown(bytes)) return
    const old = this.#state
    try {
      if (old && old.version < version) await writeAtomic(this.#nameOfVersion(old.version), old.bytes, { disk })
      await writeAtomic(path, bytes, { disk, previous: old?.bytes, confirm: () => this.#confirmUnchanged() })
    } catch (error) {
      throw diskFailure(error, codec.name, 'saved')
    }
    this.#state = { document, bytes, version, isByHand: () => false }
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

  /** People edit without the lock: what they saved since the file was read must not be overwritten. */
  async #confirmUnchanged(): Promise<void> {
    const now = await unlessErrno(readFile(this.path), 'ENOENT')
    if (areSame(now, this.#state?.bytes)) return
    fail('STORE_BUSY', `${this.#deps.codec.name} was edited by hand at this very moment; nothing was saved. Try again.`)
  }

  /** The write has happened and is told so; a copy that cannot be kept is no reason to deny it. */
  async #keepCopy(bytes: Uint8Array): Promise<void> {
    const { path, copies, log, codec } = this.#deps
    try {
      await keepCopy(path, bytes, copies)
    } catch (error) {
      log.warn(`${codec.name} was saved, but no copy of it: ${String(error)}`)
    }
  }

  #nameOfVersion(version: number): string {
    return join(dirname(this.path), `${basename(this.path, '.json')}.v${version}.json`)
  }
}

function areSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one && other ? Buffer.compare(one, other) === 0 : one === other
}
