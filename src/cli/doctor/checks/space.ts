import { statfs } from 'node:fs/promises'
import { formatByteSize } from '../../../domain/units.ts'
import { advice, type Check, fault, type Finding, type Scene } from '../check.ts'
const MEBIBYTE = 1024 * 1024
/** Below this, uploads are refused. */
const RESERVE = 64 * MEBIBYTE
const COMFORT = 1024 * MEBIBYTE

export const spaceCheck: Check = {
  name: 'space',
  title: 'Free space on the disks',
  async run({ folder, options }: Scene) {
    const findings = await Promise.all([folder, options.root].map(async (path) => findingOn(path, await freeOn(path))))
    return findings.flat()
  },
}

/** Bytes; undefined for what is not there. */
async function freeOn(path: string): Promise<number | undefined> {
  const found = await statfs(path).catch(() => undefined)
  return found && found.bavail * found.bsize
}

/** What so many free bytes mean. */
export function findingOn(path: string, free: number | undefined): Finding[] {
  if (free === undefined || free >= COMFORT) return []
  const problem = `only ${formatByteSize(Math.floor(free / MEBIBYTE) * MEBIBYTE)} are free on the disk of ${path}`
  if (free >= RESERVE) return [advice(problem, 'make room before it is used up')]
  return [fault(problem, `make room: uploads are refused below ${formatByteSize(RESERVE)}`)]
}
