import type { Logger } from '../platform/logger.ts'
import type { Output } from './output.ts'

/** The log of a command that ends at once: what a person should know, on stderr. */
export function commandLog(output: Output): Logger {
  const silent = () => undefined
  const warn = (first: string | object, message?: string) =>
    output.warning(message ?? (typeof first === 'string' ? first : ''))
  return { isBrief: true, debug: silent, info: silent, warn, error: warn }
}
