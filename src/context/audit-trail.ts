import { join } from 'node:path'
import { RotatingFile, rotatedLinesBackward } from '../platform/logging/rotating-file.ts'
import type { AuditTrail } from '../services/audit.ts'

/** Lines that are kept if there is no data folder. */
const LINES_IN_MEMORY = 1000

/** The audit log of a data folder: ten files of 100 MiB in `logs/`. Without a folder, the newest lines are kept in memory. */
export function auditTrail(dataFolder: string | undefined): AuditTrail {
  return dataFolder === undefined ? memoryTrail() : fileTrail(auditFileIn(dataFolder))
}

export function auditFileIn(dataFolder: string): string {
  return join(dataFolder, 'logs', 'audit.log')
}

function fileTrail(path: string): AuditTrail {
  const file = new RotatingFile({ path, makesFolder: true })
  return {
    write: (line) => file.write(line),
    lines: () => rotatedLinesBackward(path),
    reopen: () => file.reopen(),
    [Symbol.dispose]: () => file[Symbol.dispose](),
  }
}

function memoryTrail(): AuditTrail {
  const lines: string[] = []
  return {
    write: (line) => {
      lines.unshift(line)
      lines.length = Math.min(lines.length, LINES_IN_MEMORY)
    },
    // A copy, so that the query does not change while it is read.
    async *lines() {
      yield* [...lines]
    },
    reopen: () => undefined,
    [Symbol.dispose]: () => undefined,
  }
}
