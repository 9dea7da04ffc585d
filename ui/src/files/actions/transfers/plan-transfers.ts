import type { ChangeRequest } from '../../../../../src/domain/files/change-many.ts'
import { encodePath } from '../../../../../src/domain/files/name-text.ts'
import {
  type VirtualPath,
  childOf,
  isInside,
  nameOf,
  numberedName,
  parentOf,
} from '../../../../../src/domain/files/virtual-path.ts'
import type { Choice, NameConflict, Version } from '../prompts/conflict-prompt.tsx'
import type { FileItem, TransferKind } from '../model.ts'
import type { QueryOf } from '../../../../../src/api/operation.ts'
import type { transferResource } from '../../../../../src/api/files/files-changes.ts'

export interface PlannedTransfer {
  readonly item: FileItem
  readonly to: VirtualPath
  /** Replaces the existing entry, or merges with it. */
  readonly override: boolean
}

interface TransferInput {
  readonly kind: TransferKind
  readonly items: readonly FileItem[]
  readonly folder: VirtualPath
  /** The entries of the folder by name. */
  readonly existing: ReadonlyMap<string, Version>
}

/** Leaves out moves into the same folder, and folders that would go into themselves. */
export function transferable(kind: TransferKind, items: readonly FileItem[], folder: VirtualPath): FileItem[] {
  return items.filter(
    ({ path, isDir }) => !(isDir && isInside(path, folder)) && !(kind === 'move' && parentOf(path) === folder),
  )
}

/** Entries whose name is taken in the folder. A copy beside its original just gets another name. */
export function transferConflicts({ items, folder, existing }: TransferInput): NameConflict[] {
  return items.flatMap((item): NameConflict[] => {
    const name = nameOf(item.path)
    const there = existing.get(name)
    if (there === undefined || parentOf(item.path) === folder) return []
    return [{ key: item.path, name, incoming: item, existing: there, replaceable: there.isDir === item.isDir }]
  })
}

/**
 * The target of each item. The page chooses the names instead of the server, so that it knows what to show and what to
 * undo.
 *
 * @param choose called with the path of each conflict
 */
export function planTransfers(input: TransferInput, choose: (key: string) => Choice): PlannedTransfer[] {
  const { items, folder, existing } = input
  const conflicts = new Set(transferConflicts(input).map(({ key }) => key))
  const taken = new Set(existing.keys())
  const planned: PlannedTransfer[] = []
  for (const item of items) {
    const name = nameOf(item.path)
    const choice = conflicts.has(item.path) ? choose(item.path) : 'keepBoth'
    if (choice === 'skip') continue
    const override = choice === 'replace'
    const free = override ? name : freeName(name, taken)
    taken.add(free)
    planned.push({ item, to: childOf(folder, free), override })
  }
  return planned
}

/** The name itself, or the first free one with a number, as the server would choose. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let number = 1; taken.has(free); number += 1) free = numberedName(name, number)
  return free
}

/** Asks the server to continue long operations as a job (RFC 7240). */
export const RESPOND_ASYNC = { Prefer: 'respond-async' } as const

/** The request that does this to all of the items. */
export function changesOf(
  action: ChangeRequest['action'],
  items: readonly { readonly path: VirtualPath; readonly to?: VirtualPath; readonly override?: boolean }[],
): { readonly params: { '*': string }; readonly body: ChangeRequest } {
  const changes = items.map(({ path, to, override }) => ({
    path: path.slice(1),
    ...(to !== undefined && { destination: to }),
    ...(override === true && { override }),
  }))
  return { params: { '*': '' }, body: { action, items: changes } }
}

/** The server decodes the destination once more than the rest of the URL. */
export function transferQuery(
  kind: TransferKind,
  to: VirtualPath,
  override: boolean,
): QueryOf<typeof transferResource> {
  const destination = encodePath(to)
  return { action: kind === 'move' ? 'rename' : 'copy', destination, override: String(override), rename: 'false' }
}
