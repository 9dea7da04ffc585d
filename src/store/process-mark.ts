import { createHash } from 'node:crypto'
import { describeThisProcess, isRunning } from './lock-holder.ts'

const MARK = /^(\d{1,10})-(\d*)-([0-9a-f]{12})$/

/** A part of a file name that tells which process writes the file, in letters, digits and "-". */
export function processMark(): string {
  const { pid, started, machine } = describeThisProcess()
  return `${pid}-${started}-${digest(machine)}`
}

/** Whether the process of a mark is gone for sure. One of another machine, container or boot may run still, as far as we know. */
export function isOfTheDead(mark: string): boolean {
  const [, pid, started = '', machine] = MARK.exec(mark) ?? []
  const here = describeThisProcess()
  return machine === digest(here.machine) && isRunning({ ...here, pid: Number(pid), started }) === false
}

function digest(machine: string): string {
  return createHash('sha256').update(machine).digest('hex').slice(0, 12)
}
