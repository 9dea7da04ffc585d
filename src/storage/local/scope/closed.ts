import type { BigIntStats } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { isBeneath } from '../../../platform/files/served-root.ts'
import { statsOfOwn, statsOnOwnDisk } from '../system/direct-calls.ts'
import { type Identity, isSameFile } from '../system/disk.ts'
import { deviceOfPath, fstat, realpath, stat } from '../system/gated-calls.ts'
import { at, type Handle, type Name } from '../system/handle.ts'
import { mountsIn, readTable, shownElsewhere } from '../system/mounts.ts'
import { errnoCode } from '../system/os-error.ts'

/** A file, or a folder with its content, that belongs to the daemon. Paths have one character per byte. */
interface ClosedPlace {
  readonly path: string
  /** Undefined while nothing is there. */
  readonly identity: Identity | undefined
  /** Of the folder around it: a file that is written anew has another identity under the same name. */
  readonly parent: Identity | undefined
}

/** Crosses threads. */
export interface ClosedFacts {
  readonly root: Identity & { readonly path: string }
  readonly places: readonly ClosedPlace[]
}

/**
 * What nobody reaches as a file, though it may lie beneath the served folder: signing keys and hashes of passwords could be
 * read there, and what the daemon trusts could be written. Judged by where a thing is and by its identity, since one folder
 * has many paths: by links, /proc/self/root, bind mounts.
 */
export class Closed {
  readonly facts: ClosedFacts
  /** Without the folders in which the served folder itself lies. */
  readonly #beneath: readonly ClosedPlace[]
  readonly #names: ReadonlySet<string>
  readonly #devices: ReadonlySet<string>
  /** Folders that are known to lie in none. */
  readonly #open = new Set<string>()

  constructor(facts: ClosedFacts) {
    this.facts = facts
    const { path: root } = facts.root
    this.#names = new Set(facts.places.map(nameOf))
    this.#devices = new Set(facts.places.map(({ path }) => deviceOfPath(path)))
    this.#beneath = facts.places.filter(({ path }) => path === root || !isBeneath(path, root))
  }

  static async look(root: Handle, paths: readonly string[]): Promise<Closed> {
    const { dev, ino } = await fstat(root.fd, { bigint: true })
    const places = await Promise.all(paths.map(async (path) => await lookAt(resolve(path))))
    const home = root.realPath.toString('latin1')
    const mounts = mountsIn(readTable())
    // A part of it may be served on purpose.
    const shown = places.flatMap(({ path }) => shownElsewhere(path, mounts)).filter((path) => !isBeneath(path, home))
    const elsewhere = await Promise.all(shown.map(async (path) => await lookAt(Buffer.from(path, 'latin1').toString())))
    return new Closed({ root: { path: home, dev, ino }, places: [...places, ...elsewhere] })
  }

  /** Of an entry of a folder that is open itself. */
  has(stats: Identity): boolean {
    for (const { identity } of this.facts.places) if (identity !== undefined && isSameFile(identity, stats)) return true
    return false
  }

  /** Names in a folder that are closed, whatever lies there by now. */
  namesIn(folder: Identity): ReadonlySet<string> {
    const here = this.facts.places.filter(({ parent }) => parent !== undefined && isSameFile(parent, folder))
    return new Set(here.map(nameOf))
  }

  /** Whether a name in a folder that is open itself is closed. @param found what lies there */
  hasName(folder: Handle, name: Name, found: Identity | undefined): boolean {
    if (found !== undefined && this.has(found)) return true
    const bytes = Buffer.from(name).toString('latin1')
    if (!this.#names.has(bytes) || !this.#isOnOwnDisk(folder.realPath.toString('latin1'))) return false
    return this.namesIn(statsOfOwn(folder.fd)).has(bytes)
  }

  /** Whether anything closed lies in a folder, however deep: by the folders around it, as they are now. */
  async hasAnyIn(folder: Identity): Promise<boolean> {
    const around = new Set(this.facts.places.flatMap(({ path }) => foldersAround(path)))
    const found = await Promise.all([...around].map(async (path) => await identityAt(Buffer.from(path, 'latin1'))))
    return found.some((identity) => identity !== undefined && isSameFile(identity, folder))
  }

  /** Whether something held is closed, or lies in what is. @param real where it is */
  holds(handle: Handle, real: Buffer): boolean {
    const { root, places } = this.facts
    if (places.length === 0) return false
    const path = real.toString('latin1')
    if ((isBeneath(root.path, path) ? this.#beneath : places).some((place) => isBeneath(place.path, path))) return true
    if (!this.#isOnOwnDisk(path)) return false
    const stats = statsOfOwn(handle.fd)
    if (!stats.isDirectory()) return this.has(stats) || this.#isIn(Buffer.from(dirname(path), 'latin1'))
    return this.#isIn(at(handle), stats)
  }

  /** Another disk may not answer. */
  #isOnOwnDisk(path: string): boolean {
    return this.#devices.has(deviceOfPath(path))
  }

  /** Looks at a folder and those around it, up to the served one. */
  #isIn(folder: string | Buffer, known?: BigIntStats): boolean {
    let path = folder.toString('latin1')
    let stats: Identity | undefined = known ?? look(path)
    const key = `${stats?.dev} ${stats?.ino}`
    if (this.#open.has(key)) return false
    for (let inner: Identity | undefined; stats !== undefined; stats = look((path += '/..'))) {
      if (this.has(stats)) return true
      // The folder around "/" is "/".
      if (isSameFile(stats, this.facts.root) || (inner !== undefined && isSameFile(stats, inner))) break
      inner = stats
    }
    this.#open.add(key)
    return false
  }
}

export const NOTHING_CLOSED = new Closed({ root: { path: '/', dev: 0n, ino: 0n }, places: [] })

async function lookAt(path: string): Promise<ClosedPlace> {
  const [real, parent] = await Promise.all([realOf(path), realOf(dirname(path))])
  // Before it is there, it is closed by its name.
  const where = real ?? Buffer.concat([parent ?? Buffer.from(dirname(path)), Buffer.from(`/${basename(path)}`)])
  const text = where.toString('latin1')
  const around = Buffer.from(text.slice(0, text.lastIndexOf('/')) || '/', 'latin1')
  return { path: text, identity: await identityAt(where), parent: await identityAt(around) }
}

async function realOf(path: string): Promise<Buffer | undefined> {
  return await orMissing(realpath(path, { encoding: 'buffer' }))
}

async function identityAt(path: Buffer): Promise<Identity | undefined> {
  const stats = await orMissing(stat(path, { bigint: true }))
  return stats && { dev: stats.dev, ino: stats.ino }
}

/** What the daemon cannot read, users cannot read through it either. */
async function orMissing<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'].includes(errnoCode(error) ?? '')) return undefined
    throw error
  }
}

/** @param path one character per byte */
function look(path: string): Identity | undefined {
  try {
    return statsOnOwnDisk(Buffer.from(path, 'latin1'))
  } catch (error) {
    if (errnoCode(error) === 'EACCES') return undefined
    throw error
  }
}

function foldersAround(path: string): string[] {
  const names = path.split('/').slice(1, -1)
  return names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`)
}

function nameOf({ path }: ClosedPlace): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
