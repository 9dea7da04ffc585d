import { closeSync, fstatSync, futimesSync, openSync, read, readSync, type Stats } from 'node:fs'
import { lstat, mkdir, readdir, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type ByteCache, type CacheKey, type CacheSize, groupOf } from './byte-cache.ts'
import type { Clock } from '../clock.ts'
import type { Random } from '../security/random.ts'
import { isErrno, unlessErrno } from '../files/error-code.ts'

export interface DiskCacheOptions {
  /** Created on first use, for this account only. */
  readonly folder: string
  /** Bytes in total; above this, the oldest entries are removed. */
  readonly limit: number
  readonly clock: Clock
  readonly random: Random
}

interface Entry {
  readonly path: string
  readonly size: number
  readonly time: number
}

/** The size of one subfolder, as of its last change. */
interface KnownSize {
  readonly changed: number
  readonly size: CacheSize
}

const readDescriptor = promisify(read)

/** Each file begins with this and a checksum of its content, so that a damaged file counts as missing. */
const MAGIC = Buffer.from('fmc1')
const HEAD = MAGIC.length + 4
/** Files up to this size are read synchronously: that costs less than a trip to the thread pool. */
const MAX_SYNC_READ = 64 * 1024
const DAY = 24 * 60 * 60 * 1000
const MISSING = ['ENOENT', 'ENOTDIR']
/** Milliseconds after which the temporary file of a writer counts as left by a killed one. */
const STALE = 60 * 60 * 1000
/** A folder's mtime identifies its state only once it is this old (ms): timestamps are as coarse as two seconds. */
const MIN_MTIME_AGE = 4000
/** Part of the limit that eviction leaves, so that it does not run with each new entry. */
const EVICTION_TARGET = 0.9
const TEMPORARY = '.tmp'

/** Caches bytes as files in a folder of its own. Several processes may use the folder at the same time. */
export class DiskCache implements ByteCache {
  readonly #options: DiskCacheOptions
  readonly #known = new Map<string, KnownSize>()
  #bytes = 0
  #checked: Promise<void> | undefined
  #isCounted = false
  #sweeping: Promise<void> | undefined

  constructor(options: DiskCacheOptions) {
    this.#options = options
  }

  async get(key: CacheKey): Promise<Uint8Array | undefined> {
    await this.#check()
    const fd = openIfExists(this.#pathOf(key))
    if (fd === undefined) return undefined
    try {
      const stats = fstatSync(fd)
      const bytes = Buffer.allocUnsafeSlow(stats.size)
      const count =
        stats.size <= MAX_SYNC_READ
          ? readSync(fd, bytes, 0, stats.size, 0)
          : (await readDescriptor(fd, bytes, 0, stats.size, 0)).bytesRead
      this.#touchDaily(fd, stats)
      return count === stats.size ? contentOf(bytes) : undefined
    } finally {
      closeSync(fd)
    }
  }

  async put(key: CacheKey, bytes: Uint8Array): Promise<void> {
    await this.#check()
    const path = this.#pathOf(key)
    const temporary = `${path}.${this.#options.random.token(9)}${TEMPORARY}`
    const head = Buffer.alloc(HEAD)
    MAGIC.copy(head)
    head.writeUInt32LE(sumOf(bytes), MAGIC.length)
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
    try {
      // Not synced to the disk: the checksum detects what a power cut damages.
      await writeFile(temporary, Buffer.concat([head, bytes]), { flag: 'wx', mode: 0o600 })
      await rename(temporary, path)
    } catch (error) {
      await unlink(temporary).catch(() => undefined)
      throw error
    }
    this.#bytes += HEAD + bytes.length
    if (this.#bytes <= this.#options.limit && !this.#isCounted) void this.#count()
    // Again if a sweep was already running, which may have missed this entry.
    while (this.#bytes > this.#options.limit) await this.#sweep()
  }

  async drop(groups: ReadonlySet<string>): Promise<void> {
    for (const folder of new Set(Array.from(groups, (group) => this.#folderOf(group)))) {
      const names = (await namesIn(folder)).filter((name) => groups.has(groupOf(name)))
      for (const name of names) await removeFile(join(folder, name))
    }
  }

  /** Cheap enough to call every few seconds: only subfolders that have changed are read. */
  async size(): Promise<CacheSize> {
    let [entries, bytes] = [0, 0]
    for (const folder of await this.#folders()) {
      const size = await this.#sizeOf(folder)
      entries += size.entries
      bytes += size.bytes
    }
    return { entries, bytes }
  }

  async clear(): Promise<CacheSize> {
    const entries = await this.#entries()
    for (const { path } of entries) await removeFile(path)
    this.#bytes = 0
    return sum(entries)
  }

  #folderOf(group: string): string {
    return join(this.#options.folder, group.slice(0, 2))
  }

  #pathOf({ group, name }: CacheKey): string {
    return join(this.#folderOf(group), `${group}-${name}`)
  }

  /** Updates the mtime of an entry once a day, so that entries in use are not evicted as old. */
  #touchDaily(fd: number, { mtimeMs }: Stats): void {
    const now = this.#options.clock.now()
    if (now - mtimeMs > DAY) futimesSync(fd, now / 1000, now / 1000)
  }

  async #check(): Promise<void> {
    this.#checked ??= this.#requirePrivate().catch((error: unknown) => {
      this.#checked = undefined
      throw error
    })
    await this.#checked
  }

  async #requirePrivate(): Promise<void> {
    const { folder } = this.#options
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { mode, uid } = await lstat(folder)
    // Anyone who can write here could replace the images that other users see.
    if ((mode & 0o022) !== 0 || uid !== process.geteuid?.())
      throw new Error(`other accounts can write to the cache folder ${folder}`)
  }

  /** Counts the files of earlier runs in the background. */
  async #count(): Promise<void> {
    this.#isCounted = true
    try {
      await this.#sweep()
    } catch {
      this.#isCounted = false
    }
  }

  async #sweep(): Promise<void> {
    this.#sweeping ??= this.#removeOldest().finally(() => (this.#sweeping = undefined))
    await this.#sweeping
  }

  async #removeOldest(): Promise<void> {
    const before = this.#bytes
    const entries = await this.#entries()
    const { limit } = this.#options
    let { bytes } = sum(entries)
    for (const { path, size } of entries.toSorted((one, other) => one.time - other.time)) {
      if (bytes <= limit * EVICTION_TARGET) break
      await removeFile(path)
      bytes -= size
    }
    // Includes what was put meanwhile.
    this.#bytes += bytes - before
  }

  async #sizeOf(folder: string): Promise<CacheSize> {
    const now = this.#options.clock.now()
    const changed = (await lstat(folder).catch(() => undefined))?.mtimeMs ?? now
    const known = this.#known.get(folder)
    if (known?.changed === changed) return known.size
    const size = sum(await this.#entriesIn(folder))
    if (now - changed > MIN_MTIME_AGE) this.#known.set(folder, { changed, size })
    return size
  }

  async #entries(): Promise<Entry[]> {
    const found: Entry[] = []
    for (const folder of await this.#folders()) found.push(...(await this.#entriesIn(folder)))
    return found
  }

  async #folders(): Promise<string[]> {
    const { folder } = this.#options
    return (await namesIn(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name)).map((name) => join(folder, name))
  }

  /** Also removes temporary files that killed writers left. */
  async #entriesIn(folder: string): Promise<Entry[]> {
    const found: Entry[] = []
    for (const name of await namesIn(folder)) {
      const path = join(folder, name)
      const stats = await lstat(path).catch(() => undefined)
      if (stats?.isFile() !== true) continue
      if (!name.endsWith(TEMPORARY)) found.push({ path, size: stats.size, time: stats.mtimeMs })
      else if (this.#options.clock.now() - stats.mtimeMs > STALE) await removeFile(path)
    }
    return found
  }
}

function contentOf(bytes: Buffer): Uint8Array | undefined {
  if (bytes.length < HEAD || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined
  const content = bytes.subarray(HEAD)
  return sumOf(content) === bytes.readUInt32LE(MAGIC.length) ? content : undefined
}

/** zlib is loaded with the first picture, because commands do not need it. */
function sumOf(bytes: Uint8Array): number {
  return process.getBuiltinModule('node:zlib').crc32(bytes)
}

function openIfExists(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (isErrno(error, ...MISSING)) return undefined
    throw error
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return (await unlessErrno(readdir(folder), ...MISSING)) ?? []
}

async function removeFile(path: string): Promise<void> {
  await unlessErrno(unlink(path), ...MISSING)
}

function sum(entries: readonly Entry[]): CacheSize {
  return { entries: entries.length, bytes: entries.reduce((total, { size }) => total + size, 0) }
}
