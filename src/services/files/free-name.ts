import { childOf, nameOf, numberedName, parentOf, type VirtualPath } from '../../domain/files/virtual-path.ts'

/**
 * The path itself if it is free, else the path with a free number. Doubles the number until it is free, and then bisects, so
 * that the thousandth file of a name takes twenty checks instead of a thousand. Expects numbers to be taken without gaps.
 *
 * @param end as for `numberedName`
 */
export async function freeName(
  preferred: VirtualPath,
  isFree: (path: VirtualPath) => Promise<boolean>,
  end?: number,
): Promise<VirtualPath> {
  if (await isFree(preferred)) return preferred
  const numbered = (number: number) => childOf(parentOf(preferred), numberedName(nameOf(preferred), number, end))
  let [taken, free] = [0, 1]
  while (!(await isFree(numbered(free)))) [taken, free] = [free, free * 2]
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2)
    if (await isFree(numbered(middle))) free = middle
    else taken = middle
  }
  return numbered(free)
}
