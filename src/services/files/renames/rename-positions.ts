import { type EntryIdentity, isSameEntry } from '../../../domain/files/entry-identity.ts'
import type { RenamedEntry } from '../../../domain/automation/job-record.ts'
import { childOf, type VirtualPath, nameOf } from '../../../domain/files/virtual-path.ts'
import type { Scope } from '../../../storage/storage.ts'
import { type Rename, type RenameStep, renameSteps } from '../../../domain/files/renames/renames.ts'
import type { FileAccess } from '../../access/file-access.ts'
import { freeName } from '../free-name.ts'

/** Where the entries of a batch rename are. */
export interface Positions {
  /** The present name of each entry that was found. */
  readonly names: Map<RenamedEntry, string>
  /** Second names that a killed process has left: a file gets its new name as a hard link, before it loses the old one. */
  readonly surplus: readonly { readonly name: string; readonly of: RenamedEntry }[]
}

/** Finds the entries by their identity. Whatever else has one of the names is another entry. */
export async function locate(
  scope: Pick<Scope, 'entryAt'>,
  folder: VirtualPath,
  entries: readonly RenamedEntry[],
  parked: Readonly<Record<string, string>>,
): Promise<Positions> {
  const found = new Map<string, EntryIdentity>()
  const namesOf = ({ from, to, temporary }: RenamedEntry) =>
    [to, parked[from], temporary, from].filter((name) => name !== undefined)
  for (const name of new Set(entries.flatMap(namesOf))) {
    const entry = await scope.entryAt(childOf(folder, name))
    if (entry !== undefined) found.set(name, entry)
  }
  const has = (name: string, { entry }: RenamedEntry): boolean => {
    const there = found.get(name)
    return entry !== undefined && there !== undefined && isSameEntry(there, entry)
  }
  const owners = new Map<string, RenamedEntry>()
  /** Several entries may be hard links of one file: each name counts for one of them, who may have to give it to another. */
  const assign = (entry: RenamedEntry, tried = new Set<string>()): boolean =>
    namesOf(entry).some((name) => {
      if (tried.has(name) || !has(name, entry)) return false
      tried.add(name)
      const owner = owners.get(name)
      if (owner !== undefined && !assign(owner, tried)) return false
      owners.set(name, entry)
      return true
    })
  for (const entry of entries) assign(entry)
  const names = new Map([...owners].map(([name, entry]) => [entry, name]))
  const taken = new Set(owners.keys())
  const surplus = entries.flatMap((of) =>
    names.has(of)
      ? namesOf(of).flatMap((name) => {
          if (taken.has(name) || !has(name, of)) return []
          taken.add(name)
          return { name, of }
        })
      : [],
  )
  return { names, surplus }
}

/** An entry of a batch rename, and its present name. */
export interface Position {
  readonly entry: RenamedEntry
  name: string
}

/** A step, for the entry that it moves. */
export interface EntryStep extends Pick<RenameStep, 'part'> {
  readonly at: Position
}

/** The steps from the present names to others. The same positions always lead to the same steps. */
export function stepsTo(positions: readonly Position[], goal: 'to' | 'from'): EntryStep[] {
  const moves = new Map(positions.map((at): [Rename, Position] => [{ from: at.name, to: at.entry[goal] }, at]))
  return renameSteps([...moves.keys()]).flatMap(({ rename, part }) => {
    const at = moves.get(rename)
    return at === undefined ? [] : { at, part }
  })
}

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
