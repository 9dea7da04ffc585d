import type { BigIntStats } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { isBeneath } from '../../../platform/files/served-root.ts'
import { statsOfOwn, statsOnOwnDisk } from '../system/direct-calls.ts'
import { type Identity, isSameFile } from '../system/disk.ts'
import { deviceOfPath, fstat, realpath, stat } from '../system/gated-calls.ts'
import { at, bytesOf, type Handle, type Name } from '../system/handle.ts'
import { mountsIn, readTable, shownElsewhere } from '../system/mounts.ts'
import { unlessErrno, isErrno } from '../../../platform/files/error-code.ts'

/** A file, or a folder with its content, that belongs to the daemon. Paths have one character per byte. */
interface ProtectedPath {
  readonly path: string
  /** Undefined if it does not exist. */
  readonly identity: Identity | undefined
  /** Identity of its parent folder: with the name, it protects the path even after the file is replaced. */
  readonly parent: Identity | undefined
}

/** Plain data that can be posted to worker threads. */
export interface ProtectedPathsData {
  readonly root: Identity & { readonly path: string }
  readonly paths: readonly ProtectedPath[]
}

/**
 * Paths of the daemon that users must not reach, even if they are inside the served folder: a user could read signing keys and
 * password hashes, or overwrite data that the daemon trusts. Compares entries by path and by identity, because one folder can
 * have many paths: through links, /proc/self/root and bind mounts.
 */
export class ProtectedPaths {
  readonly data: ProtectedPathsData
  /** All except the folders above the served one, which would protect everything in it. */
  readonly #beneath: readonly ProtectedPath[]
  readonly #names: ReadonlySet<string>
  readonly #devices: ReadonlySet<string>
  /** Identities of folders that are known not to be inside a protected one. */
  readonly #unprotected = new Set<string>()
  readonly #unprotectedHandles = new WeakSet<Handle>()

  constructor(data: ProtectedPathsData) {
    this.data = data
    const { path: root } = data.root
    this.#names = new Set(data.paths.map(nameOf))
    this.#devices = new Set(data.paths.map(({ path }) => deviceOfPath(path)))
    this.#beneath = data.paths.filter(({ path }) => path === root || !isBeneath(path, root))
  }

  static async load(root: Handle, paths: readonly string[]): Promise<ProtectedPaths> {
    const { dev, ino } = await fstat(root.fd)
    const given = await Promise.all(
      paths.map(async (path) => await protectedPathAt(Buffer.from(resolve(path)).toString('latin1'))),
    )
    const home = root.realPath
    const mounts = mountsIn(readTable())
    // A mount point that contains the served folder does not count: the operator may serve part of a protected folder on purpose.
    const shown = given.flatMap(({ path }) => shownElsewhere(path, mounts)).filter((path) => !isBeneath(path, home))
    const elsewhere = await Promise.all(shown.map(protectedPathAt))
    return new ProtectedPaths({ root: { path: home, dev, ino }, paths: [...given, ...elsewhere] })
  }

  /** For entries of a folder that is not protected itself. */
  has(stats: Identity): boolean {
    for (const { identity } of this.data.paths) if (identity !== undefined && isSameFile(identity, stats)) return true
    return false
  }

  /** Protected names in a folder, whatever exists under them now. */
  namesIn(folder: Identity): ReadonlySet<string> {
    const here = this.data.paths.filter(({ parent }) => parent !== undefined && isSameFile(parent, folder))
    return new Set(here.map(nameOf))
  }

  /** Whether a name is protected, in a folder that is not protected itself. @param found the entry with that name, if any */
  hasName(folder: Handle, name: Name, found: Identity | undefined): boolean {
    if (found !== undefined && this.has(found)) return true
    const bytes = bytesOf(name).toString('latin1')
    if (!this.#names.has(bytes) || !this.#isOnOwnDisk(folder.realPath)) return false
    return this.namesIn(statsOfOwn(folder.fd)).has(bytes)
  }

  /** Whether a folder contains a protected path at any depth. Compares it with all folders above the protected paths. */
  async hasAnyIn(folder: Identity): Promise<boolean> {
    const around = new Set(this.data.paths.flatMap(({ path }) => foldersAround(path)))
    const found = await Promise.all([...around].map(async (path) => await identityAt(Buffer.from(path, 'latin1'))))
    return found.some((identity) => identity !== undefined && isSameFile(identity, folder))
  }

  /** Whether an open entry is protected or inside a protected folder. @param path its real path */
  holds(handle: Handle, path: string): boolean {
    const { root, paths } = this.data
    if (paths.length === 0) return false
    if ((isBeneath(root.path, path) ? this.#beneath : paths).some((entry) => isBeneath(entry.path, path))) return true
    if (this.#unprotectedHandles.has(handle) || !this.#isOnOwnDisk(path)) return false
    const stats = statsOfOwn(handle.fd)
    if (!stats.isDirectory()) return this.has(stats) || this.#isIn(Buffer.from(dirname(path), 'latin1'))
    if (this.#isIn(at(handle), stats)) return true
    this.#unprotectedHandles.add(handle)
    return false
  }

  /** Accesses only disks with protected paths: another one may be stalled, and a synchronous call would block the event loop. */
  #isOnOwnDisk(path: string): boolean {
    return this.#devices.has(deviceOfPath(path))
  }

  /** Checks a folder and its parents, up to the served folder. */
  #isIn(folder: string | Buffer, known?: BigIntStats): boolean {
    let path = folder.toString('latin1')
    let stats: Identity | undefined = known ?? ownIdentity(path)
    const key = `${stats?.dev} ${stats?.ino}`
    if (this.#unprotected.has(key)) return false
    for (let inner: Identity | undefined; stats !== undefined; stats = ownIdentity((path += '/..'))) {
      if (this.has(stats)) return true
      // The parent of "/" is "/".
      if (isSameFile(stats, this.data.root) || (inner !== undefined && isSameFile(stats, inner))) break
      inner = stats
    }
    this.#unprotected.add(key)
    return false
  }
}

export const NOTHING_PROTECTED = new ProtectedPaths({ root: { path: '/', dev: 0n, ino: 0n }, paths: [] })

/** @param path one character per byte */
async function protectedPathAt(path: string): Promise<ProtectedPath> {
  const [real, parent] = await Promise.all([realOf(path), realOf(dirname(path))])
  // A path that does not exist yet is protected by its name.
  const where = real ?? Buffer.concat([parent ?? bytesIn(dirname(path)), bytesIn(`/${basename(path)}`)])
  const text = where.toString('latin1')
  const around = Buffer.from(text.slice(0, text.lastIndexOf('/')) || '/', 'latin1')
  return { path: text, identity: await identityAt(where), parent: await identityAt(around) }
}

async function realOf(path: string): Promise<Buffer | undefined> {
  return await orMissing(realpath(bytesIn(path), { encoding: 'buffer' }))
}

function bytesIn(path: string): Buffer {
  return Buffer.from(path, 'latin1')
}

async function identityAt(path: Buffer): Promise<Identity | undefined> {
  const stats = await orMissing(stat(path, { bigint: true }))
  return stats && { dev: stats.dev, ino: stats.ino }
}

/** Treats unreadable paths as missing: users cannot read through the daemon what the daemon cannot read. */
async function orMissing<T>(call: Promise<T>): Promise<T | undefined> {
  return await unlessErrno(call, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP')
}

/** @param path one character per byte */
function ownIdentity(path: string): Identity | undefined {
  try {
    return statsOnOwnDisk(Buffer.from(path, 'latin1'))
  } catch (error) {
    if (isErrno(error, 'EACCES')) return undefined
    throw error
  }
}

function foldersAround(path: string): string[] {
  const names = path.split('/').slice(1, -1)
  return names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`)
}

function nameOf({ path }: ProtectedPath): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
