import { readlinkSync } from 'node:fs'
import { lowerPriority } from '../processes/processes.ts'
import type { WorkerStart } from './worker-messages.ts'

/** Only on Linux, where each thread has its own priority. Elsewhere this would change that of the whole process. */
export function applyNiceness({ niceness }: Pick<WorkerStart, 'niceness'>): void {
  if (niceness === 0 || process.platform !== 'linux') return
  const thread = readlinkSync('/proc/thread-self').split('/').pop()
  lowerPriority(Number(thread), niceness)
}
