import { join } from 'node:path'
import { agedPath, linesBackward, RotatingFile } from '../platform/logging/rotating-file.ts'
import type { AuditTrail } from '../services/audit.ts'

const FILES = 10
/** Without a data folder. */
const LINES_IN_MEMORY = 1000

/** The audit log of a data folder: ten files of 100 MiB in `logs/`. Without a folder, the newest lines are kept in memory. */
export function auditTrail(dataFolder: string | undefined): AuditTrail {
  return dataFolder === undefined ? memoryTrail() : fileTrail(join(dataFolder, 'logs', 'audit.log'))
}

function fileTrail(path: string): AuditTrail {
  const file = new RotatingFile({ path, files: FILES, makesFolder: true })
  return {
    write: (line) => file.write(line),
    async *lines() {
      for (let age = 0; age < FILES; age++) yield* linesBackward(agedPath(path, age))
    },
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
