import { join } from 'node:path'
import { RotatingFile, rotatedLinesBackward } from '../platform/logging/rotating-file.ts'
import type { AuditTrail } from '../services/server/audit/audit.ts'
import { openAuditAt, type StoreLocation } from '../store/location.ts'
import type { SharedAudit, StoreLog } from '../store/store.ts'

/** Lines that are kept if there is no data folder. */
const LINES_IN_MEMORY = 1000

/**
 * The audit log of a data folder: ten files of 100 MiB in `logs/`. Without a folder, the newest lines are kept in memory.
 *
 * @param shared gets all entries too, and is read instead
 */
export function auditTrail(dataFolder: string | undefined, shared?: SharedAudit): AuditTrail {
  const own = dataFolder === undefined ? memoryTrail() : fileTrail(auditFileIn(dataFolder))
  return shared === undefined ? own : sharedTrail(own, shared)
}

function sharedTrail(own: AuditTrail, shared: SharedAudit): AuditTrail {
  return {
    write(line, entry) {
      // First: it does not depend on the disk of this machine.
      shared.add(entry)
      own.write(line, entry)
    },
    async *lines(before) {
      await shared.flush()
      for await (const entry of shared.entries(before)) yield JSON.stringify(entry)
    },
    reopen: () => own.reopen(),
    [Symbol.dispose]: () => own[Symbol.dispose](),
  }
}

/** The same for a command, which has not opened the store. */
export async function auditTrailAt(
  location: StoreLocation,
  hasFile: boolean,
  log: StoreLog,
): Promise<AuditTrail & AsyncDisposable> {
  const shared = await openAuditAt(location, log)
  const trail = auditTrail(hasFile ? location.folder : undefined, shared)
  return { ...trail, [Symbol.asyncDispose]: async () => await shared?.[Symbol.asyncDispose]() }
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
