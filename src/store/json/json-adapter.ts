import { copyFile, constants } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Adapter } from 'lowdb'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import { systemClock, type Clock } from '../../platform/clock.ts'
import { hasContent, writeAtomic } from '../disk/atomic-file.ts'
import { diskFailure, nodeDisk, type Disk } from '../disk/disk.ts'
import { unlessErrno } from '../../platform/files/error-code.ts'
import { Journal } from '../disk/journal.ts'
import { changesBetween, type DocumentChange, type Fields } from './document-changes.ts'
import type { Decoded, DocumentCodec } from './document-codec.ts'
import { isEqual } from './drafts.ts'
import { encodedBefore, type Encoded } from './encode.ts'
import { preUpgradePathOf } from './downgrade.ts'
import { copyWithDigest, keepCopy, timeStamp } from './recovery-copies.ts'
import {
  changeLine,
  type Continuation,
  continueDocument,
  digestOf,
  documentLine,
  type FileMark,
  isSameFile,
  journalPathOf,
  markOf,
  readStoredFiles,
  type StoredFiles,
} from './stored-files.ts'
import type { StoreLog } from '../store.ts'

interface JsonAdapterDeps<D extends object> {
  readonly path: string
  readonly codec: DocumentCodec<D>
  /** How many recovery copies are kept. */
  readonly copies: number
  readonly log: StoreLog
  readonly disk?: Disk
  readonly clock?: Clock
}

/** What is stored, as last read or written. */
interface StoredState<D> extends Decoded<D> {
  /** The bytes of the file. */
  readonly encoded: Encoded
  /** Of the file; undefined until it is needed. */
  readonly digest?: string
  readonly mark: FileMark | undefined
  readonly journalMark: FileMark | undefined
  /** After a read; see `continueJournal`. */
  readonly joined?: Joined
  /** The content that an upgrade keeps, if that is not just the file. */
  readonly old?: Fields
}

interface Joined extends Continuation {
  readonly files: StoredFiles
  /** The file by itself. */
  readonly alone: Fields
}

/** Milliseconds between reads of a file that an editor may be writing in place. */
const RETRY_DELAY = 100
const MAX_TRIES = 5
/** Changes of more records are written with the whole document: it does not block the event loop for long. */
const MAX_RECORDS = 500

/**
 * A lowdb adapter for one document: a file, and beside it a journal of the changes since it was written. lowdb's own adapters
 * have no validation, migration, fsync, journal or recovery copies.
 */
export class JsonAdapter<D extends object> implements Adapter<Readonly<D>>, AsyncDisposable {
  readonly path: string
  readonly #deps: JsonAdapterDeps<D>
  readonly #journal: Journal
  #state: StoredState<D> | undefined

  constructor(deps: JsonAdapterDeps<D>) {
    this.path = deps.path
    this.#deps = deps
    this.#journal = new Journal(journalPathOf(deps.path), deps.disk)
  }

  /** What is stored, as last read or written; undefined while the file does not exist. */
  get state(): Decoded<D> | undefined {
    return this.#state
  }

  /** Bytes of the journal that this process continues. */
  get journalSize(): number {
    return this.#journal.size
  }

  /** Bytes of the file. */
  get fileSize(): number {
    return this.#state?.encoded.pieces.reduce((sum, { length }) => sum + length, 0) ?? 0
  }

  /** Whether the journal is damaged, or does not continue the file: then the holder of the lock calls `continueJournal`. */
  get needsNewJournal(): boolean {
    const { joined } = this.#state ?? {}
    if (joined === undefined) return false
    return joined.kind === 'edited' || joined.kind === 'foreign' || this.journalProblem !== undefined
  }

  /** What is wrong with the journal as last read; undefined if nothing is. */
  get journalProblem(): string | undefined {
    const line = this.#state?.joined?.files.journal.damagedLine
    return line === undefined ? undefined : `${basename(this.#journal.path)} is damaged in line ${line}`
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
      const files = await readStoredFiles(this.path)
      const isFinal = tries === MAX_TRIES || (tries > 1 && areSame(files.bytes, before))
      try {
        return await this.#load(files, isFinal)
      } catch (error) {
        if (isFinal || !isFilemgrError(error, 'STORE_INVALID')) throw error
      }
      before = files.bytes
      await sleep(RETRY_DELAY)
    }
  }

  /** Writes the whole document. @throws NO_SPACE or STORE_INVALID; the old content then stays. */
  async write(document: Readonly<D>): Promise<void> {
    const { path, codec, disk = nodeDisk } = this.#deps
    const encoded = await codec.encode(document, this.#state?.encoded)
    const digest = await digestOf(encoded.pieces)
    try {
      await this.continueJournal()
      const old = this.#state
      if (old && codec.isOld(old)) await writeAtomic(preUpgradePathOf(path, old), contentOf(old), { disk })
      if (old && this.#journal.size > 0) await this.#announce(old, digest)
      const options = { disk, previous: old?.encoded.pieces, confirm: () => this.#confirmUnchanged() }
      await writeAtomic(path, encoded.pieces, options)
    } catch (error) {
      throw diskFailure(error, codec.name, 'saved')
    }
    const marks = { mark: await markOf(path), journalMark: undefined }
    this.#state = { ...codec.origin(), document, encoded, digest, ...marks }
    await this.#tidy(encoded.pieces)
  }

  /** Writes only what has changed since the last read or write. @throws as `write` */
  async append(document: Readonly<D>): Promise<void> {
    const { codec } = this.#deps
    const state = this.#state
    const changes = state && changesBetween(state.document, document, codec.keys)
    if (state === undefined || changes === undefined || codec.isOld(state) || recordsIn(changes) > MAX_RECORDS) {
      await this.write(document)
      return
    }
    try {
      await this.continueJournal()
      const line = changeLine(changes)
      if (this.#journal.size === 0) await this.#journal.start([documentLine(await this.#fileDigest(state)), line])
      else if (await this.#journal.isUsable()) await this.#journal.append([line])
      else {
        await this.write(document)
        return
      }
    } catch (error) {
      throw diskFailure(error, codec.name, 'saved')
    }
    await this.#note({ document })
  }

  /**
   * Continues the journal that was read; if it does not continue the file, makes one that does. Only the holder of the lock may
   * call it, after it has read.
   */
  async continueJournal(): Promise<void> {
    const { joined, ...state } = this.#state ?? {}
    if (joined === undefined) return
    const { kind, files } = joined
    if (this.needsNewJournal) await this.#replaceJournal(joined)
    else if (kind === 'continued') await this.#journal.resume(files.journal)
    else if (files.journalBytes !== undefined) await this.#journal.remove()
    this.#state = state as StoredState<D>
    await this.#note()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#journal[Symbol.asyncDispose]()
  }

  /** Makes a journal of the changes that what is stored has, compared with the file. */
  async #replaceJournal({ kind, files, alone, fields }: Joined): Promise<void> {
    const { codec, log, clock = systemClock } = this.#deps
    const { path } = this.#journal
    const name = basename(path)
    const problem = this.journalProblem
    if (kind === 'edited')
      log.info(
        `${codec.name} was edited by hand after changes in ${name}: these are kept where the edit left them alone.`,
      )
    if (kind === 'foreign' || problem !== undefined) {
      const kept = `${path}.${problem === undefined ? 'foreign' : 'corrupt'}-${timeStamp(clock)}`
      await unlessErrno(copyFile(path, kept, constants.COPYFILE_EXCL), 'EEXIST')
      log.warn(
        problem === undefined
          ? `${codec.name} is not the one that ${name} continues, which is not among the recovery copies either: records of the journal are used, the rest is that of ${codec.name}. The journal is kept as ${basename(kept)}.`
          : `${problem}: the changes before that are used, later ones are lost. The damaged file is kept as ${basename(kept)}.`,
      )
    }
    const changes = changesBetween(alone, fields, codec.keys, isEqual)
    const digest = await digestOf([files.bytes ?? new Uint8Array()])
    if (changes.length === 0) await this.#journal.remove()
    else await this.#journal.start([documentLine(digest), changeLine(changes)], files.journalBytes)
  }

  /** Says in the journal that the file will have all its changes: until it is removed, they must not be applied again. */
  async #announce(old: StoredState<D>, digest: string): Promise<void> {
    const { codec } = this.#deps
    if (await this.#journal.isUsable()) await this.#journal.append([documentLine(digest)])
    else {
      const { document } = codec.decode(Buffer.concat(old.encoded.pieces))
      const changes = changesBetween(document, old.document, codec.keys, isEqual)
      await this.#journal.start([documentLine(await this.#fileDigest(old)), changeLine(changes), documentLine(digest)])
    }
    await this.#note()
  }

  /** Updates what is known of the journal. */
  async #note(changed: Partial<Pick<StoredState<D>, 'document'>> = {}): Promise<void> {
    const journalMark = await markOf(this.#journal.path)
    if (this.#state !== undefined) this.#state = { ...this.#state, ...changed, journalMark }
  }

  async #fileDigest(state: StoredState<D>): Promise<string> {
    if (state.digest !== undefined) return state.digest
    const digest = await digestOf(state.encoded.pieces)
    if (this.#state?.encoded === state.encoded) this.#state = { ...this.#state, digest }
    return digest
  }

  /** Whether both files still are as they were last read or written. Nobody else writes a journal that this process continues. */
  async #isUnchanged(): Promise<boolean> {
    if (!(await this.#isFileUnchanged())) return false
    return this.#journal.size > 0 || isSame(this.#state?.journalMark, await markOf(this.#journal.path)) !== false
  }

  async #isFileUnchanged(): Promise<boolean> {
    const state = this.#state
    const mark = await markOf(this.path)
    if (isSame(state?.mark, mark) === true) return true
    if (!(await unlessErrno(hasContent(this.path, state?.encoded.pieces ?? []), 'ENOENT'))) return false
    if (this.#state?.encoded === state?.encoded && this.#state) this.#state = { ...this.#state, mark }
    return true
  }

  async #load(files: StoredFiles, isFinal: boolean): Promise<Readonly<D> | null> {
    const { codec } = this.#deps
    const { bytes, mark, journal, journalBytes } = files
    if (bytes === undefined) {
      if (this.#state && !isFinal) fail('STORE_INVALID', `${codec.name} is gone.`)
      this.#state = undefined
      return null
    }
    const alone = codec.parse(bytes)
    const digest = journalBytes === undefined ? undefined : await digestOf([bytes])
    const continuation =
      digest === undefined
        ? ({ fields: alone, kind: 'none', hasChanges: false } as const)
        : await continueDocument({
            fields: alone,
            digest,
            journal,
            keys: codec.keys,
            find: async (of) => await this.#findDocument(of),
          })
    const { fields, kind, hasChanges } = continuation
    // The edit itself must be valid, or its problems would be hidden.
    if (kind === 'edited' || kind === 'foreign') codec.decode(bytes)
    const decoded = codec.decodeParsed(fields, bytes.length + (journalBytes?.length ?? 0))
    this.#state = {
      ...decoded,
      encoded: encodedBefore(bytes),
      mark,
      journalMark: files.journalMark,
      ...(digest !== undefined && { digest }),
      ...(hasChanges && codec.isOld(decoded) && { old: fields }),
      joined: { ...continuation, files, alone },
    }
    return decoded.document
  }

  /** The content of the file when it had this digest. */
  async #findDocument(digest: string): Promise<Fields | undefined> {
    const { path, codec, copies } = this.#deps
    const state = this.#state
    if (state !== undefined && (await this.#fileDigest(state)) === digest)
      return codec.parse(Buffer.concat(state.encoded.pieces))
    const bytes = await copyWithDigest(path, copies, digest)
    return bytes && codec.parse(bytes)
  }

  /** Editors do not take our lock: a file that one has saved since the last read must not be overwritten. */
  async #confirmUnchanged(): Promise<void> {
    if (await this.#isFileUnchanged()) return
    fail('STORE_BUSY', `${this.#deps.codec.name} was just edited by hand, so nothing was saved. Try again.`)
  }

  /** The write itself has succeeded, so failures are only logged. */
  async #tidy(pieces: readonly Uint8Array[]): Promise<void> {
    const { path, copies, log, codec } = this.#deps
    try {
      await this.#journal.remove()
    } catch (error) {
      log.warn(`${codec.name} was saved, but its journal could not be removed: ${String(error)}`)
    }
    await this.#note({})
    try {
      await keepCopy(path, pieces, copies)
    } catch (error) {
      log.warn(`${codec.name} was saved, but its recovery copy was not: ${String(error)}`)
    }
  }
}

/** The content of the file, with the changes in the journal. */
function contentOf({ encoded, old }: Pick<StoredState<unknown>, 'encoded' | 'old'>): readonly Uint8Array[] {
  return old === undefined ? encoded.pieces : [Buffer.from(`${JSON.stringify(old, null, 2)}\n`)]
}

function recordsIn(changes: readonly DocumentChange[]): number {
  return changes.reduce((sum, change) => {
    if ('put' in change) return sum + change.put.length + change.remove.length
    return sum + (Array.isArray(change.set) ? change.set.length : 1)
  }, 0)
}

function isSame(before: FileMark | undefined, now: FileMark | undefined): boolean | undefined {
  return before && now ? isSameFile(before, now) : before === now
}

function areSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one && other ? Buffer.compare(one, other) === 0 : one === other
}
