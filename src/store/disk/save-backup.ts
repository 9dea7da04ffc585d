import { createWriteStream, readFileSync, readlinkSync } from 'node:fs'
import { readdir, rename, rm, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { systemRandom } from '../../platform/security/random.ts'
import { syncFolder } from './atomic-file.ts'
import { isErrno, unlessErrno } from '../../platform/files/error-code.ts'
import { diskFailure } from './disk.ts'

/**
 * Writes a backup that only its owner can read, under its final name once it is complete. Removes leftovers of killed processes.
 *
 * @throws NO_SPACE, STORE_INVALID
 */
export async function saveBackup(path: string, backup: AsyncIterable<Uint8Array>): Promise<void> {
  await removeAbandoned(path)
  const temporary = `${path}.${processMark()}.${systemRandom.token(6)}.tmp`
  try {
    await pipeline(
      Readable.from(backup, { objectMode: false }),
      createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }),
    )
    await rename(temporary, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(temporary, { force: true })
    throw diskFailure(error, path, 'saved')
  }
}

async function removeAbandoned(path: string): Promise<void> {
  const folder = dirname(path)
  const start = `${basename(path)}.`
  const names = (await unlessErrno(readdir(folder), 'ENOENT', 'ENOTDIR', 'EACCES')) ?? []
  for (const name of names.filter((each) => each.startsWith(start) && each.endsWith('.tmp'))) {
    const [mark = ''] = name.slice(start.length).split('.')
    if (isStale(mark)) await unlessErrno(unlink(join(folder, name)), 'ENOENT', 'EACCES', 'EPERM', 'EISDIR')
  }
}

const MARK = /^(\d{1,10})-(\d*)-([0-9a-f]{12})$/

/** Identifies the process that writes a file, as part of the file's name. */
function processMark(): string {
  return `${process.pid}-${startOf(process.pid)}-${thisMachine()}`
}

/** True only if the process is certainly gone. A process of another machine or container may still be running. */
function isStale(mark: string): boolean {
  const [, pid, started, machine] = MARK.exec(mark) ?? []
  if (machine !== thisMachine()) return false
  return !isAlive(Number(pid)) || startOf(Number(pid)) !== started
}

/** Identifies the scope in which pids are unique: one boot of a machine and one pid namespace (each container has its own). */
function thisMachine(): string {
  const boot = fromKernel(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
  const namespace = fromKernel(() => readlinkSync('/proc/self/ns/pid'))
  const machine = boot === undefined ? hostname() : `${boot} ${namespace ?? ''}`
  return createHash('sha256').update(machine).digest('hex').slice(0, 12)
}

/** Start time of a process in kernel ticks, which distinguishes processes that reuse a pid. Empty if unknown. */
function startOf(pid: number): string {
  const text = fromKernel(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // The program name is in parentheses and may contain spaces and parentheses. After it, field 1 is the state, 20 the start time.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? []
  return fields[0] === 'Z' ? 'dead, but not yet collected by its parent' : (fields[19] ?? '')
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !isErrno(error, 'ESRCH')
  }
}

function fromKernel(read: () => string): string | undefined {
  try {
    return read()
  } catch {
    // No /proc here, or the process has ended.
    return undefined
  }
}
