import { distinctNames, NO_ROOT } from '../../domain/accounts/place.ts'
import { isFilemgrError } from '../../domain/errors.ts'
import {
  below,
  cleanVirtualPath,
  isInside,
  relativeTo,
  ROOT,
  type VirtualPath,
} from '../../domain/files/virtual-path.ts'
import type { RootId } from '../../domain/ids.ts'
import { defaultsOf } from '../../domain/schema/schema-tools.ts'
import { FILES_ROOT, requireRootName, Root, type RootFolder } from '../../domain/server/root.ts'
import type { Random } from '../../platform/security/random.ts'
import type { ReportWriter } from './import-report.ts'
import type { OldInstallation } from './old-record.ts'

interface RootsInput {
  readonly old: Pick<OldInstallation, 'roots'>
  readonly existing: readonly Root[]
  /** The folder that `files` is here; empty if that is not known. */
  readonly files: string
  readonly random: Random
  readonly report: ReportWriter
}

export interface ImportedRoots {
  /** Those there are, and those of the old installation. */
  readonly roots: readonly Root[]
  /** A folder of an old root, in the root here that has it. */
  folderIn(location: string, scope: string): RootFolder
}

/**
 * Each folder that the old installation served becomes a root, unless it lies in one: then it is a folder of that root. Those that
 * contain others are looked at first.
 */
export function importRoots({ old, existing, files, random, report }: RootsInput): ImportedRoots {
  const locationOf = (text: string) => cleanVirtualPath(text)
  const known: { id: RootId; location: VirtualPath }[] = [{ id: FILES_ROOT, location: files }, ...existing].flatMap(
    ({ id, location }) => (location.startsWith('/') ? [{ id, location: locationOf(location) }] : []),
  )
  const added: Root[] = []
  const outermost = (old.roots ?? []).toSorted((a, b) => a.location.length - b.location.length)
  for (const { location: given, name: wanted, readOnly } of outermost) {
    const location = locationOf(given)
    if (known.some((root) => isInside(root.location, location))) continue
    const inner = known.find((root) => isInside(location, root.location))
    if (inner !== undefined) {
      report.add('dropped', `root ${wanted}`, `${location} contains ${inner.location}, which is served already`)
      continue
    }
    const names = ['files', NO_ROOT, ...[...existing, ...added].map(({ name }) => name), usableName(wanted)]
    const root: Root = {
      ...defaultsOf(Root),
      id: random.token(9) as RootId,
      name: distinctNames(names).at(-1) ?? wanted,
      location,
      readOnly,
    }
    known.push({ id: root.id, location })
    added.push(root)
    report.add('carried', `root ${root.name}`, location)
  }
  return {
    roots: [...existing, ...added],
    folderIn(given, scope) {
      const location = locationOf(given)
      const root = known.find((each) => isInside(each.location, location))
      if (root === undefined) return { root: NO_ROOT, scope: ROOT }
      const folder = below(relativeTo(root.location, location), cleanVirtualPath(scope))
      return { ...(root.id !== FILES_ROOT && { root: root.id }), scope: folder }
    },
  }
}

function usableName(name: string): string {
  const short = name
    .replaceAll(/[/\\\p{C}]/gu, ' ')
    .trim()
    .slice(0, 60)
    .trim()
  try {
    return requireRootName(short)
  } catch (error) {
    if (!isFilemgrError(error, 'INVALID_INPUT')) throw error
    return 'folder'
  }
}
