import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

const MARK = /^(\d{1,10})-(\d*)-([0-9a-f]{12})$/

/** A part of a file name that tells which process writes the file, in letters, digits and "-". */
export function processMark(): string {
  return `${process.pid}-${startOf(process.pid)}-${thisMachine()}`
}

/** Whether the process of a mark is gone for sure. One of another machine, container or boot may run still, as far as we know. */
export function isOfTheDead(mark: string): boolean {
  const [, pid, started, machine] = MARK.exec(mark) ?? []
  if (machine !== thisMachine()) return false
  return !isAlive(Number(pid)) || startOf(Number(pid)) !== started
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Where a pid means something: one start of one machine, one pid namespace (a container has its own). */
function thisMachine(): string {
  const boot = fromKernel(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
  const namespace = fromKernel(() => readlinkSync('/proc/self/ns/pid'))
  const machine = boot === undefined ? hostname() : `${boot} ${namespace ?? ''}`
  return createHash('sha256').update(machine).digest('hex').slice(0, 12)
}

/** When a process began, in the kernel's ticks: a later one that was given the same pid is another one. Empty where nobody can tell. */
function startOf(pid: number): string {
  const text = fromKernel(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // The program's name, in brackets, may itself hold spaces and brackets. After it come the state and, as 20th, the start.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? []
  return fields[0] === 'Z' ? 'dead, but not yet collected by its parent' : (fields[19] ?? '')
}

function fromKernel(read: () => string): string | undefined {
  try {
    return read()
  } catch {
    // No /proc here, or the process has ended.
    return undefined
  }
}
