import { childOf, nameOf, numberedName, parentOf, type VirtualPath } from '../../domain/files/virtual-path.ts'

/**
 * The path itself, if it is free, or with a free number. Of numbers that are taken without gaps it finds the end by doubling, and
 * then by halving: the thousandth file of a name costs twenty looks and not a thousand.
 *
 * @param end as for `numberedName`
 */
export async function freeName(
  wanted: VirtualPath,
  isFree: (path: VirtualPath) => Promise<boolean>,
  end?: number,
): Promise<VirtualPath> {
  if (await isFree(wanted)) return wanted
  const numbered = (number: number) => childOf(parentOf(wanted), numberedName(nameOf(wanted), number, end))
  let [taken, free] = [0, 1]
  while (!(await isFree(numbered(free)))) [taken, free] = [free, free * 2]
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2)
    if (await isFree(numbered(middle))) free = middle
    else taken = middle
  }
  return numbered(free)
}
