import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Adapter } from 'lowdb'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import { hasContent, writeAtomic } from '../disk/atomic-file.ts'
import { diskFailure, nodeDisk, unlessErrno, type Disk } from '../disk/disk.ts'
import type { Decoded, DocumentCodec } from './document-codec.ts'
import { encodedBefore, type Encoded } from './encode.ts'
import { preUpgradePathOf } from './downgrade.ts'
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
  readonly encoded: Encoded
}

/** Milliseconds between reads of a file that an editor may be writing in place. */
const RETRY_DELAY = 100
const MAX_TRIES = 5

/** A lowdb adapter for one file. lowdb's own adapters have no validation, migration, fsync or recovery copies. */
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
    if (this.#state === undefined) return ''
    const hash = createHash('sha256')
    for (const piece of this.#state.encoded.pieces) hash.update(piece)
    return hash.digest('base64url')
  }

  /**
   * Null when there is no file. Reads again if an editor may be in the middle of writing it.
   *
   * @throws STORE_INVALID when it is damaged, or newer than this program
   */
  async read(): Promise<Readonly<D> | null> {
    let before: Uint8Array | undefined
    for (let tries = 1; ; tries++) {
      if (this.#state !== undefined && (await this.#isUnchanged())) return this.#state.document
      const bytes = await unlessErrno(readFile(this.path), 'ENOENT')
      const isFinal = tries === MAX_TRIES || (tries > 1 && areSame(bytes, before))
      try {
        return this.#adopt(bytes, isFinal)
      } catch (error) {
        if (isFinal || !isFilemgrError(error, 'STORE_INVALID')) throw error
      }
      before = bytes
      await sleep(RETRY_DELAY)
    }
  }

  /** @throws NO_SPACE or STORE_INVALID; the old content then stays. */
  async write(document: Readonly<D>): Promise<void> {
    const { path, codec, disk = nodeDisk } = this.#deps
    const old = this.#state
    const encoded = await codec.encode(document, old?.encoded)
    try {
      if (old && codec.isOld(old)) await writeAtomic(preUpgradePathOf(path, old), old.encoded.pieces, { disk })
      const options = { disk, previous: old?.encoded.pieces, confirm: () => this.#confirmUnchanged() }
      await writeAtomic(path, encoded.pieces, options)
    } catch (error) {
      throw diskFailure(error, codec.name, 'saved')
    }
    this.#state = { ...codec.origin(), document, encoded }
    await this.#keepCopy(encoded.pieces)
  }

  /** Whether the file still has the content that was last read or written. */
  async #isUnchanged(): Promise<boolean> {
    const pieces = this.#state?.encoded.pieces
    const isSame = await unlessErrno(hasContent(this.path, pieces ?? []), 'ENOENT')
    return pieces === undefined ? isSame === undefined : isSame === true
  }

  #adopt(bytes: Uint8Array | undefined, isFinal: boolean): Readonly<D> | null {
    const { codec } = this.#deps
    if (!bytes && this.#state && !isFinal) fail('STORE_INVALID', `${codec.name} is gone.`)
    if (!bytes) this.#state = undefined
    else this.#state = { ...codec.decode(bytes), encoded: encodedBefore(bytes) }
    return this.#state?.document ?? null
  }

  /** Editors do not take our lock: a file that one has saved since the last read must not be overwritten. */
  async #confirmUnchanged(): Promise<void> {
    if (await this.#isUnchanged()) return
    fail('STORE_BUSY', `${this.#deps.codec.name} was just edited by hand, so nothing was saved. Try again.`)
  }

  /** The write itself has succeeded, so a failure of the copy is only logged. */
  async #keepCopy(pieces: readonly Uint8Array[]): Promise<void> {
    const { path, copies, log, codec } = this.#deps
    try {
      await keepCopy(path, pieces, copies)
    } catch (error) {
      log.warn(`${codec.name} was saved, but its recovery copy was not: ${String(error)}`)
    }
  }
}

function areSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one && other ? Buffer.compare(one, other) === 0 : one === other
}
