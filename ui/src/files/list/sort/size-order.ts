import { compareBytes } from '../../../../../src/domain/files/listing-order.ts'
import type { Resource } from '../../../../../src/domain/files/resource.ts'

/**
 * Sorts folders among the files by size; those of unknown size count as the smallest. The files are already sorted, so
 * even a very large folder takes only one pass.
 *
 * @param sizes bytes of folders, by their names
 */
export function sizeOrder(
  entries: readonly Resource[],
  sizes: ReadonlyMap<string, number>,
  ascending: boolean,
): Resource[] {
  const sizeOf = ({ isDir, name, size }: Resource) => (isDir ? (sizes.get(name) ?? -1) : size)
  const compare = (one: Resource, other: Resource) =>
    (ascending ? sizeOf(one) - sizeOf(other) : sizeOf(other) - sizeOf(one)) || compareBytes(one.name, other.name)
  const folders = entries.filter(({ isDir }) => isDir).sort(compare)
  const ordered: Resource[] = []
  let next = 0
  for (const file of entries) {
    if (file.isDir) continue
    for (let folder = folders[next]; folder !== undefined && compare(folder, file) < 0; folder = folders[(next += 1)])
      ordered.push(folder)
    ordered.push(file)
  }
  return [...ordered, ...folders.slice(next)]
}
