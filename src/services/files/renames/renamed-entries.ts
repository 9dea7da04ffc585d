import { type Rename, renameSteps } from '../../../domain/files/renames/renames.ts'
import type { RenamedEntry } from '../../../domain/automation/job-record.ts'
import { childOf, nameOf, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { FileAccess } from '../../access/access.ts'
import { freeName } from '../free-name.ts'

/** What must be known of the entries to find them again under any of their names: their identities, and temporary names. */
export async function entriesToRename(
  { scope }: FileAccess,
  folder: VirtualPath,
  renames: readonly Rename[],
): Promise<RenamedEntry[]> {
  const names = new Set(renames.flatMap(({ from, to }) => [from, to]))
  const isFree = async (path: VirtualPath) => !names.has(nameOf(path)) && !(await scope.exists(path))
  const temporary = new Map<string, string>()
  for (const { rename, part } of renameSteps(renames)) {
    if (part !== 'out') continue
    const name = nameOf(await freeName(childOf(folder, rename.from), isFree))
    names.add(name)
    temporary.set(rename.from, name)
  }
  const entries: RenamedEntry[] = []
  for (const { from, to } of renames) {
    const spare = temporary.get(from)
    const entry = await scope.entryAt(childOf(folder, from))
    entries.push({ from, to, ...(spare !== undefined && { temporary: spare }), ...(entry && { entry }) })
  }
  return entries
}
