/** A line of the grid: a heading above a group of tiles, or the entries from `start` up to, not including, `end`. */
export type GridLine =
  | { readonly kind: 'heading'; readonly group: string }
  | { readonly kind: 'entries'; readonly start: number; readonly end: number; readonly folders: boolean }

export interface GridLayout {
  readonly columns: number
  readonly entries: number
  readonly lines: number
  lineAt(line: number): GridLine
  /** The line that shows this entry. */
  lineOf(index: number): number
  /** The entry `by` lines below this one (above, if negative), in the same column if that line has it. */
  vertical(index: number, by: number): number
}

/** Entries below one heading, from `start` up to, not including, `end`. */
export interface Group {
  /** Names the heading; null for none. */
  readonly key: string | null
  readonly start: number
  readonly end: number
  /** All of them are folders. */
  readonly folders: boolean
}

interface Section extends Group {
  /** Of entries. */
  readonly firstLine: number
}

/** One entry per line. */
export function listLayout(entries: number): GridLayout {
  return {
    columns: 1,
    entries,
    lines: entries,
    lineAt: (line) => ({ kind: 'entries', start: line, end: line + 1, folders: false }),
    lineOf: (index) => index,
    vertical: (index, by) => clamp(index + by, entries),
  }
}

/**
 * Tiles in columns. Folders and files each start on a new line below a heading, unless a sort by date mixes them: a
 * heading for every change would be noise.
 *
 * @param folders whether the entry at each index is a folder
 */
export function tileLayout(folders: readonly boolean[], columns: number): GridLayout {
  return groupLayout(foldersAndFiles(folders), columns)
}

/** Each group on new lines below its heading. */
export function groupLayout(groups: readonly Group[], columns: number): GridLayout {
  const sections = sectionsOf(groups, columns)
  const last = sections.at(-1)
  const lines = last === undefined ? 0 : last.firstLine + rowsIn(last, columns)
  const sectionOf = (index: number): Section => find(sections, (section) => index < section.end)

  const lineAt = (line: number): GridLine => {
    const section = find(sections, (each) => line < each.firstLine + rowsIn(each, columns))
    if (line < section.firstLine) return { kind: 'heading', group: section.key ?? '' }
    const start = section.start + (line - section.firstLine) * columns
    return { kind: 'entries', start, end: Math.min(start + columns, section.end), folders: section.folders }
  }
  const lineOf = (index: number): number => {
    const section = sectionOf(index)
    return section.firstLine + Math.floor((index - section.start) / columns)
  }
  const vertical = (index: number, by: number): number => {
    const column = (index - sectionOf(index).start) % columns
    const step = Math.sign(by)
    let best = index
    for (
      let line = lineOf(index) + step, remaining = Math.abs(by);
      remaining > 0 && line >= 0 && line < lines;
      line += step
    ) {
      const found = lineAt(line)
      if (found.kind === 'heading') continue
      best = Math.min(found.start + column, found.end - 1)
      remaining -= 1
    }
    return best
  }
  return { columns, entries: last?.end ?? 0, lines, lineAt, lineOf, vertical }
}

function foldersAndFiles(folders: readonly boolean[]): Group[] {
  const change = folders.findIndex((folder) => folder !== folders[0])
  const first = folders[0] === true
  if (change !== -1 && folders.includes(first, change))
    return [{ key: null, start: 0, end: folders.length, folders: false }]
  const end = change === -1 ? folders.length : change
  return [
    { key: first ? 'folders' : 'files', start: 0, end, folders: first },
    { key: first ? 'files' : 'folders', start: end, end: folders.length, folders: !first },
  ].filter((group) => group.end > group.start)
}

function sectionsOf(groups: readonly Group[], columns: number): Section[] {
  let line = 0
  return groups.map((group) => {
    const section = { ...group, firstLine: line + (group.key === null ? 0 : 1) }
    line = section.firstLine + rowsIn(section, columns)
    return section
  })
}

function rowsIn(section: Group, columns: number): number {
  return Math.ceil((section.end - section.start) / columns)
}

function find(sections: readonly Section[], matches: (section: Section) => boolean): Section {
  const found = sections.find(matches) ?? sections.at(-1)
  if (found === undefined) throw new RangeError('an empty folder has no lines')
  return found
}

function clamp(index: number, count: number): number {
  return Math.max(0, Math.min(count - 1, index))
}

/** The layout of the shown folder. */
export function layoutOf(
  entries: readonly { readonly isDir: boolean }[],
  kind: 'list' | 'tiles',
  columns: number,
  groups?: readonly Group[],
): GridLayout {
  if (groups !== undefined) return groupLayout(groups, columns)
  if (kind === 'list') return listLayout(entries.length)
  return tileLayout(
    entries.map((entry) => entry.isDir),
    columns,
  )
}
