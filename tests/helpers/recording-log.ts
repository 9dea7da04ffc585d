import type { Logger } from '../../src/platform/logging/logger.ts'

export interface RecordedLine {
  readonly level: keyof Logger
  readonly facts: object
  readonly message: string
}

/** A log that a test can read. */
export function recordingLog(): Logger & { readonly lines: readonly RecordedLine[] } {
  const lines: RecordedLine[] = []
  const method =
    (level: keyof Logger) =>
    (...args: [string] | [object, string]) => {
      const [facts, message] = args.length === 1 ? [{}, args[0]] : args
      lines.push({ level, facts, message })
    }
  return { lines, info: method('info'), warn: method('warn'), error: method('error') }
}
