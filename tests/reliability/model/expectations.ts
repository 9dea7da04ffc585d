import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** What a client knows of a file that it has sent: stored, without an answer or deleted since, or refused. */
type Presence = 'stored' | 'maybe' | 'refused'

/** Where the files of one name are. */
interface Found {
  readonly visible: string[]
  /** Below a name that is only for files that are being written. */
  readonly hidden: string[]
}

/** If the name is taken when a file is restored, it gets a number. */
const SAMPLE = /^(s\d+-\d+)(?:\(\d+\))*(\.txt)$/
/** Segments of the deepest folder that clients use; what is moved into it may be deeper. */
const DEEPEST = 6
/** Where copies are made. */
const COPIES = '/z/'
const STAGED = /\.fm-tmp$/i

/**
 * Files whose names say what is in them, so that wherever one is found it can be checked. They are moved, trashed and restored in
 * any way, and must all be somewhere, exactly once.
 */
export class Expectations {
  readonly #presence = new Map<string, Presence>()
  /** Names that may be in two places: a move of them was cancelled, or ended with an error. */
  readonly #twice = new Set<string>()
  #count = 0

  /** A name that was never used. One in forty is of a large file. */
  newName(random: () => number): string {
    this.#count += 1
    const lines = random() < 0.025 ? 200_000 : 1 + Math.floor(random() * 3000)
    return `s${this.#count}-${lines}.txt`
  }

  note(name: string, presence: Presence): void {
    this.#presence.set(name, presence)
  }

  allowTwice(names: Iterable<string>): void {
    for (const name of names) this.#twice.add(name)
  }

  get stored(): number {
    return [...this.#presence.values()].filter((presence) => presence === 'stored').length
  }

  /** A name that was stored, at random. */
  someName(random: () => number): string | undefined {
    return [...this.#presence.keys()][Math.floor(random() * this.#presence.size)]
  }

  /** What is wrong with the files in these folders. */
  problemsIn(folders: readonly string[]): string[] {
    const problems: string[] = []
    const found = new Map<string, Found>()
    for (const folder of folders) visit(folder, false, found)
    for (const [name, { visible, hidden }] of found) {
      const content = contentOf(name)
      for (const path of visible)
        if (readFileSync(path, 'utf8') !== content) problems.push(`${path} is damaged or mixed with another file`)
      const originals = visible.filter((path) => !path.includes(COPIES))
      if (originals.length > 1 && !this.#twice.has(name))
        problems.push(`${name} is in two places: ${originals.join(', ')}`)
      if (this.#presence.get(name) === 'refused')
        problems.push(`${name} was refused and is at ${[...visible, ...hidden].join(', ')}`)
    }
    for (const [name, presence] of this.#presence) {
      if (presence !== 'stored') continue
      const { visible = [], hidden = [] } = found.get(name) ?? {}
      if (visible.every((path) => path.includes(COPIES)))
        problems.push(hidden.length > 0 ? `${name} is hidden at ${hidden.join(', ')}` : `${name} is lost`)
    }
    return problems
  }
}

export function contentOf(name: string): string {
  const lines = Number(/-(\d+)\./.exec(name)?.[1])
  return `${name}\n`.repeat(lines)
}

/** The names of our files below a folder, in visible and hidden places; of a file, its own. */
export function namesBelow(folder: string): string[] {
  const own = sampleOf(basename(folder))
  if (own !== undefined) return [own]
  const found = new Map<string, Found>()
  visit(folder, false, found)
  return [...found.keys()]
}

/** Hidden files and folders of operations below a folder. */
export function stagedBelow(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (STAGED.test(entry.name)) return [path]
    return entry.isDirectory() ? stagedBelow(path) : []
  })
}

/** Folders below a folder, as paths from `root`, without hidden ones and those that are deep down. */
export function foldersBelow(root: string, path: string): string[] {
  if (path.split('/').length > DEEPEST) return []
  const inner = entriesOf(join(root, path)).filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
  return [path, ...inner.flatMap((entry) => foldersBelow(root, join(path, entry.name)))]
}

function visit(folder: string, isHidden: boolean, found: Map<string, Found>): void {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) visit(path, isHidden || STAGED.test(entry.name), found)
    else note(entry.name === 'content' ? firstLineOf(path) : entry.name, path, isHidden, found)
  }
}

/** A single file in the trash is named "content": its first line is its name. */
function firstLineOf(path: string): string {
  const text = readFileSync(path, 'utf8')
  return text.slice(0, Math.max(0, text.indexOf('\n')))
}

function note(fileName: string, path: string, isHidden: boolean, found: Map<string, Found>): void {
  const name = sampleOf(fileName)
  if (name === undefined) return
  const places = found.get(name) ?? { visible: [], hidden: [] }
  places[isHidden ? 'hidden' : 'visible'].push(path)
  found.set(name, places)
}

/** The name under which a file was sent; undefined if it is none of ours. */
function sampleOf(fileName: string): string | undefined {
  const [, stem, extension] = SAMPLE.exec(fileName) ?? []
  return stem === undefined || extension === undefined ? undefined : stem + extension
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    // A file, or it was moved while the clients were at work.
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code))) return []
    throw error
  }
}
