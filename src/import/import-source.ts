import { constants } from 'node:fs'
import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail, isFilemgrError } from '../domain/errors.ts'
import { looksLikeBolt } from './boltdb/meta-page.ts'
import { looksLikeSqlite, readSqlite, type SqliteFiles } from './sqlite/read-sqlite.ts'
import { parseYaml } from '../platform/validation/yaml.ts'
import { fromDatabase, fromExport } from './filebrowser/read-installation.ts'
import type { OldInstallation } from './filebrowser/old-record.ts'
import { isQuantumConfig, type QuantumConfig, quantumConfigOf } from './quantum/quantum-config.ts'
import type { QuantumDatabase } from './quantum/quantum-database.ts'
import { QUANTUM_TABLES, quantumFromBolt, quantumFromTables } from './quantum/read-quantum.ts'
import { isErrno, unlessErrno } from '../platform/files/error-code.ts'

const MEBIBYTE = 1024 * 1024
const MAX_SIZE = { database: 256 * MEBIBYTE, text: 32 * MEBIBYTE }
/** Enough for both meta pages of a database, whatever its page size. */
const HEAD = 2 * 65_536
const MAX_TRIES = 10
const PAUSE = 50

/** A file of an old installation: of File Browser, or one of the two of FileBrowser Quantum. */
export type ImportSource = {
  readonly path: string
  /** It was not read from a file, so there is none at the path. */
  readonly isPiped?: true
  /** The process that has the database open. */
  readonly usedBy: number | undefined
} & (
  | { readonly kind: 'filebrowser'; readonly installation: OldInstallation }
  | { readonly kind: 'quantum database'; readonly database: QuantumDatabase }
  | { readonly kind: 'quantum config'; readonly config: QuantumConfig }
)

/** As `readImportSource`, of what was read from standard input. @param folder in which relative paths of the content begin */
export async function readPipedSource(bytes: Buffer, folder: string): Promise<ImportSource> {
  if (bytes.length > MAX_SIZE.database) fail('TOO_LARGE', 'standard input is too large for a database of File Browser')
  const path = join(folder, 'standard input')
  return { ...(await named('standard input', async () => await sourceOf(path, bytes))), isPiped: true }
}

/**
 * Reads one file of an old installation, without changing it. Its content tells which program wrote it.
 *
 * @throws NOT_FOUND, FORBIDDEN; INVALID_INPUT and TOO_LARGE naming the file and what is wrong with it; STORE_BUSY when it
 *         keeps changing
 */
export async function readImportSource(path: string): Promise<ImportSource> {
  const bytes = await readStable(path)
  return await named(path, async () => {
    if (looksLikeSqlite(bytes))
      return { ...(await quantumOf(path, await readSqliteFiles(path))), usedBy: await lockHolderOf(path) }
    const isDatabase = looksLikeBolt(bytes) || ['.db', ''].includes(extname(path))
    if (!isDatabase) return await sourceOf(path, bytes)
    return { ...boltSource(path, bytes), usedBy: await lockHolderOf(path) }
  })
}

/** Its content alone tells what it is. */
async function sourceOf(path: string, bytes: Buffer): Promise<ImportSource> {
  if (looksLikeSqlite(bytes)) return await quantumOf(path, { database: bytes, wal: undefined })
  if (looksLikeBolt(bytes)) return boltSource(path, bytes)
  if (bytes.length > MAX_SIZE.text) fail('TOO_LARGE', 'the file is too large for an export')
  const value = await parseText(path, bytes)
  if (isQuantumConfig(value)) {
    return { path, kind: 'quantum config', config: quantumConfigOf(value, dirname(path)), usedBy: undefined }
  }
  return { path, kind: 'filebrowser', installation: fromExport(value), usedBy: undefined }
}

async function quantumOf(path: string, files: SqliteFiles): Promise<ImportSource> {
  const database = quantumFromTables(await readSqlite(files, QUANTUM_TABLES))
  return { path, kind: 'quantum database', database, usedBy: undefined }
}

function boltSource(path: string, bytes: Buffer): ImportSource {
  const database = quantumFromBolt(bytes)
  if (database !== undefined) return { path, kind: 'quantum database', database, usedBy: undefined }
  return { path, kind: 'filebrowser', installation: fromDatabase(bytes), usedBy: undefined }
}

async function named<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (isFilemgrError(error)) fail(error.code, `${name}: ${error.message}`, error.details, { cause: error })
    throw error
  }
}

/** Reads the write-ahead log first: changes that SQLite then moves to the database are read twice, instead of not at all. */
async function readSqliteFiles(path: string): Promise<SqliteFiles> {
  const log = `${path}-wal`
  const found = await unlessErrno(stat(log), 'ENOENT', 'ENAMETOOLONG')
  const wal = found === undefined ? undefined : await readStable(log)
  return { database: await readStable(path), wal }
}

/** Reads the file again until its meta pages stay the same: a running File Browser may be writing to it. */
async function readStable(path: string): Promise<Buffer> {
  await using file = await openFile(path)
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const found = await file.stat()
    if (!found.isFile()) fail('INVALID_INPUT', `${path} is not a file; name a database or an export of File Browser`)
    if (found.size > MAX_SIZE.database) fail('TOO_LARGE', `${path} is too large for a database of File Browser`)
    const head = await readHead(file)
    const bytes = await readAll(file, found.size)
    if (head.equals(await readHead(file))) return bytes
    await sleep(PAUSE)
  }
  return fail('STORE_BUSY', `${path} is being written to; stop File Browser, or import a copy of the file`)
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) fail('NOT_FOUND', `there is no file ${path}`)
    if (isErrno(error, 'EACCES', 'EPERM')) fail('FORBIDDEN', `${path} may not be read by this account`)
    throw error
  }
}

async function readHead(file: FileHandle): Promise<Buffer> {
  return await readAll(file, HEAD)
}

/** The first bytes of a file, fewer when it is shorter. */
async function readAll(file: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size)
  let done = 0
  while (done < size) {
    const { bytesRead } = await file.read(bytes, done, size - done, done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return bytes.subarray(0, done)
}

async function parseText(path: string, bytes: Buffer): Promise<unknown> {
  if (bytes.length === 0) fail('INVALID_INPUT', 'the file is empty')
  const text = bytes.toString('utf8')
  try {
    return extname(path).toLowerCase() === '.json' ? (JSON.parse(text) as unknown) : await parseYaml(text)
  } catch {
    // The parser's message is dropped, since it quotes the file, including password hashes.
    return fail('INVALID_INPUT', 'this is neither a database of File Browser, nor JSON, nor YAML')
  }
}

/** The process that holds a lock on a file, according to /proc/locks. Processes of other containers are not listed. */
async function lockHolderOf(path: string): Promise<number | undefined> {
  const locks = await readFile('/proc/locks', 'utf8').catch(() => '')
  const { dev, ino } = await stat(path, { bigint: true })
  for (const lock of parseLocks(locks)) {
    if (lock.inode !== ino) continue
    if (lock.device === deviceName(dev) || (await hasOpen(lock.pid, dev, ino))) return lock.pid
  }
  return undefined
}

interface Lock {
  readonly pid: number
  /** "08:01": major and minor, in hex. */
  readonly device: string
  readonly inode: bigint
}

function parseLocks(text: string): Lock[] {
  const lines = text.matchAll(/^\d+: (?:FLOCK|POSIX)\s+\w+\s+\w+\s+(\d+) ([0-9a-f]+:[0-9a-f]+):(\d+) /gm)
  return [...lines].map(([, pid, device = '', inode = '0']) => ({
    pid: Number(pid),
    device,
    inode: BigInt(inode),
  }))
}

function deviceName(device: bigint): string {
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn)
  const minor = (device & 0xffn) | ((device >> 12n) & ~0xffn)
  return [major, minor].map((number) => number.toString(16).padStart(2, '0')).join(':')
}

/** For file systems whose device number in /proc/locks differs from that of stat(). */
async function hasOpen(pid: number, device: bigint, inode: bigint): Promise<boolean> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const found = await Promise.all(
    names.map(async (name) => await stat(`/proc/${pid}/fd/${name}`, { bigint: true }).catch(() => undefined)),
  )
  return found.some((stats) => stats?.dev === device && stats.ino === inode)
}
