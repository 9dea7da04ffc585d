/**
 * Which entries of one folder are selected, by name. `inverted` turns the set into "all but these", so that
 * selecting everything costs the same in a folder of ten and of a hundred thousand.
 */
export interface Selection {
  readonly inverted: boolean
  readonly names: ReadonlySet<string>
}

export const NOTHING: Selection = { inverted: false, names: new Set() }
export const EVERYTHING: Selection = { inverted: true, names: new Set() }

export function isSelected(selection: Selection, name: string): boolean {
  return selection.inverted !== selection.names.has(name)
}

/** `total` is the number of entries in the folder. */
export function countSelected(selection: Selection, total: number): number {
  return selection.inverted ? total - selection.names.size : selection.names.size
}

export function selectOnly(names: Iterable<string>): Selection {
  return { inverted: false, names: new Set(names) }
}

export function setSelected(selection: Selection, changed: Iterable<string>, selected: boolean): Selection {
  const names = new Set(selection.names)
  const listed = selected !== selection.inverted
  for (const name of changed) {
    if (listed) names.add(name)
    else names.delete(name)
  }
  return { inverted: selection.inverted, names }
}

export function toggle(selection: Selection, name: string): Selection {
  return setSelected(selection, [name], !isSelected(selection, name))
}

/**
 * The selection after a refetch. Entries that are gone are dropped. Entries added after "select all" are not selected:
 * an action must not apply to a file that the user never saw.
 */
export function keepPresent(selection: Selection, before: readonly string[], after: readonly string[]): Selection {
  const present = new Set(after)
  const names = new Set([...selection.names].filter((name) => present.has(name)))
  if (selection.inverted) {
    const known = new Set(before)
    for (const name of after) if (!known.has(name)) names.add(name)
  }
  return { inverted: selection.inverted, names }
}

/** The selected ones of `names`, in their order. */
export function* selectedOf(selection: Selection, names: Iterable<string>): Iterable<string> {
  for (const name of names) if (isSelected(selection, name)) yield name
}
