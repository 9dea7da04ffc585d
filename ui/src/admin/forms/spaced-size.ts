import { formatByteSize } from '../../../../src/domain/units.ts'
/** "10 MB": as people type it, and the server reads it. */
export function spacedSize(bytes: number): string {
  return formatByteSize(bytes).replace(/(?=[KMGT]?B$)/, ' ')
}
