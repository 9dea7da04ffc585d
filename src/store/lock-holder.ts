import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { Type, type Static } from 'typebox'
import { parseJson } from '../domain/parse-json.ts'
import { createValueCheck } from '../platform/value-check.ts'
import { isErrno } from './disk.ts'

/** Who holds a lock: the content of the lock file. */
export const LockHolder = Type.Object({
  pid: Type.Integer({ minimum: 1 }),
  host: Type.String(),
  /** Where `pid` means something: one start of one machine, one pid namespace (a container has its own). */
  machine: Type.String(),
  /** When the process began, in the kernel's ticks: a later process that was given the same pid is another one. */
  started: Type.String(),
  id: Type.String(),
})
export type LockHolder = Static<typeof LockHolder>

const check = createValueCheck(LockHolder)

/** This process as the holder of a lock, with an id of its own at each call. */
export function describeThisProcess(): LockHolder {
  return {
    pid: process.pid,
    host: hostname(),
    machine: thisMachine(),
    started: startOf(process.pid),
    id: randomUUID(),
  }
}

/** Undefined for a lock file that was cut off while it was written. */
export function parseHolder(text: string): LockHolder | undefined {
  const parsed = parseJson(text)
  return check.accepts(parsed, text.length) ? parsed : undefined
}

/** Whether the holder still runs; undefined when it belongs to another machine or container and nobody here can tell. */
export function isRunning(holder: LockHolder): boolean | undefined {
  if (holder.machine !== thisMachine()) return undefined
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if (isErrno(error, 'ESRCH')) return false
    if (!isErrno(error, 'EPERM')) throw error
  }
  return startOf(holder.pid) === holder.started
}

function thisMachine(): string {
  const boot = fromKernel(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
  const namespace = fromKernel(() => readlinkSync('/proc/self/ns/pid'))
  return boot === undefined ? hostname() : `${boot} ${namespace ?? ''}`
}

/** Empty where there is no /proc: there the pid alone must do. */
function startOf(pid: number): string {
  const text = fromKernel(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // The program's name, in brackets, may itself hold spaces and brackets. After it come the state and, as 20th, the start.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? []
  return fields[0] === 'Z' ? 'dead, but not yet collected by its parent' : (fields[19] ?? '')
}

/** Read at once: these are a few bytes out of the kernel's memory, and no disk can make them wait. */
function fromKernel(read: () => string): string | undefined {
  try {
    return read()
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ESRCH', 'EACCES')) return undefined
    throw error
  }
}
