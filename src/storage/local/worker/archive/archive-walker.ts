import { lstatSync } from 'node:fs'
import { safeMemberName } from '../../../../domain/files/archives/archive-format.ts'
import { type LeftOutEntry, LeftOutList, type LeftOutReason } from '../../../../domain/files/left-out.ts'
import { below, type VirtualPath } from '../../../../domain/files/virtual-path.ts'
import { inside, requireEntryAccess, rulePathsOf, type ScopeRoot } from '../../scope/scope-root.ts'
import { beneath, type Handle, HOLD_FOLDER, latin1Of } from '../../system/handle.ts'
import { errnoCode } from '../../system/os-error.ts'
import { holdSync, innerPaths, type IsShown, type NameBytes, pathOf, readOpenNames, textOf } from '../sync-calls.ts'
import type { ArchiveWriter, Member, Note, Steps } from '../../../../platform/archives/write/members.ts'
import { NOTE, NOTE_BEGIN, Notes } from '../../../../platform/archives/write/notes.ts'
import { memberNames, TakenNames } from './member-names.ts'
import {
  type EntryStats,
  entryStats,
  FileToRead,
  type FolderToWalk,
  openEntry,
  openStats,
  orNothing,
} from './open-entry.ts'

/** Limited, because each level needs a descriptor, and programs that unpack archives have limits too. */
const MAX_DEPTH = 128
/** Limited, because links to folders that contain such links multiply: a few of them could make an endless archive. */
const MAX_FOLDER_LINKS = 1000

export interface ArchiveItem {
  /** Path from the root of the scope. */
  readonly segments: readonly string[]
  /** How many leading segments names in the archive omit. If it is all of them, the folder's content is at the archive's top. */
  readonly omittedSegments: number
}

interface WalkerDeps {
  readonly scopeRoot: ScopeRoot
  readonly isShown: IsShown
  /** The root of the scope as the rules see it. */
  readonly rulePrefix: VirtualPath
  readonly writer: ArchiveWriter
}

/** The current position of a walk. */
interface WalkPosition {
  readonly folder: Handle
  /** Prefix for the names of the folder's members: "" or a path that ends in a slash. */
  readonly prefix: string
  /** The folder's paths as the rules see them. */
  readonly rulePaths: readonly VirtualPath[]
  /** The parent folders and the folder itself, outermost first. */
  readonly around: readonly EntryStats[]
}

/** Adds files and folders to an archive. Skips unreadable entries, and records them. */
export class ArchiveWalker {
  readonly #deps: WalkerDeps
  readonly #leftOut = new LeftOutList()
  readonly #notes = new Notes()
  readonly #taken = new TakenNames()
  #folderLinks = 0
  #newest = 0n

  constructor(deps: WalkerDeps) {
    this.#deps = deps
  }

  /** Adds nothing if the item is missing or invisible. */
  *item({ segments, omittedSegments }: ArchiveItem): Steps {
    const isContent = omittedSegments === segments.length
    const folderSegments = isContent ? segments : segments.slice(0, -1)
    using folder = this.#hold(folderSegments)
    if (folder === undefined) return
    const asked = below(this.#deps.rulePrefix, `/${folderSegments.join('/')}` as VirtualPath)
    const rulePaths = rulePathsOf(this.#deps.scopeRoot, folder, asked)
    const position = { folder, prefix: '', rulePaths, around: [entryStats(openStats(folder.fd))] }
    if (isContent) {
      yield* this.#content(position)
      return
    }
    const name = latin1Of(segments.at(-1) ?? '')
    if (!this.#deps.isShown(rulePaths, name) || !this.#isOpen(folder, name)) return
    const path = segments.slice(omittedSegments)
    const member = this.#taken.claim(path.map((segment) => safeMemberName(segment, this.#deps.writer.names)).join('/'))
    if (member !== path.join('/')) this.#leftOut.add(path.join('/'), 'renamed', member)
    yield* this.#entry(position, name, member)
  }

  /** Also links and special files, which the note does not have: they would be in nearly every archive of a system's folders. */
  get leftOut(): readonly LeftOutEntry[] {
    return this.#leftOut.entries
  }

  /** A text file that lists what was left out; undefined if nothing was. */
  note(): Note | undefined {
    const text = this.#notes.text()
    if (text === undefined) return undefined
    // Not the current time, so that the same files make the same archive.
    return { member: { name: this.#taken.claim(NOTE), mode: 0o644, modified: this.#newest }, text }
  }

  *#content(position: WalkPosition): Steps {
    const names = this.#orLeftOut(position.prefix, () => readOpenNames(this.#deps.scopeRoot, position.folder)) ?? []
    const shown = names.filter((name) => this.#deps.isShown(position.rulePaths, name)).sort()
    for (const [name, member] of memberNames(shown, this.#deps.writer.names)) {
      const text = textOf(name)
      if (text !== member) this.#leftOut.add(`${position.prefix}${text}`, 'renamed', `${position.prefix}${member}`)
      yield* this.#entry(position, name, `${position.prefix}${member}`)
    }
  }

  /** @param member name in the archive */
  *#entry(position: WalkPosition, name: NameBytes, member: string): Steps {
    if (position.prefix === '' && member.startsWith(NOTE_BEGIN)) this.#taken.add(member)
    using held = new DisposableStack()
    const opened = this.#orLeftOut(member, () => openEntry(this.#deps.scopeRoot, position.folder, name))
    if (typeof opened === 'object') held.use(opened)
    if (typeof opened === 'string') this.#leftOut.add(member, opened)
    else if (opened instanceof FileToRead) yield* this.#file(opened, member)
    else if (opened !== undefined && !this.#isCircle(opened, position, member)) {
      this.#deps.writer.folder(this.#memberOf(member, opened.stats), opened.stats)
      yield* this.#content({
        folder: opened.handle,
        prefix: `${member}/`,
        rulePaths: this.#rulePathsIn(position, name, opened),
        around: [...position.around, opened.stats],
      })
    }
    yield
  }

  #rulePathsIn(
    { rulePaths }: WalkPosition,
    name: NameBytes,
    { isLinked, handle }: FolderToWalk,
  ): readonly VirtualPath[] {
    const inner = innerPaths(rulePaths, name)
    return isLinked ? [...new Set(inner.flatMap((path) => rulePathsOf(this.#deps.scopeRoot, handle, path)))] : inner
  }

  #isOpen(folder: Handle, name: NameBytes): boolean {
    const isOpen = orNothing(() => {
      const found = lstatSync(pathOf(folder, name), { bigint: true, throwIfNoEntry: false })
      requireEntryAccess(this.#deps.scopeRoot, folder, Buffer.from(name, 'latin1'), found)
      return true
    })
    return isOpen === true
  }

  #hold(folderSegments: readonly string[]): Handle | undefined {
    const { scopeRoot } = this.#deps
    return orNothing(() => inside(scopeRoot, holdSync(beneath(scopeRoot.folder, folderSegments), HOLD_FOLDER)))
  }

  *#file(file: FileToRead, member: string): Steps {
    const { size } = file.stats
    const done = yield* this.#deps.writer.file(this.#memberOf(member, file.stats), file)
    if (done < size) this.#note(member, 'shortened', `became shorter while it was read: ${done} of ${size} bytes`)
  }

  #memberOf(name: string, { mode, modified }: EntryStats): Member {
    if (modified > this.#newest) this.#newest = modified
    return { name, mode: mode & 0o777, modified }
  }

  /** Also true, and reported in the note, for folders that are nested too deeply and for too many links to folders. */
  #isCircle({ isLinked, stats }: FolderToWalk, { around }: WalkPosition, member: string): boolean {
    if (around.length >= MAX_DEPTH) {
      this.#note(member, 'nested', `folders are nested deeper than ${MAX_DEPTH}`)
      return true
    }
    if (!isLinked) return false
    if (around.some(({ inode, device }) => inode === stats.inode && device === stats.device)) {
      this.#leftOut.add(member, 'link')
      return true
    }
    this.#folderLinks += 1
    if (this.#folderLinks <= MAX_FOLDER_LINKS) return false
    this.#note(member, 'nested', `there are more than ${MAX_FOLDER_LINKS} links to folders`)
    return true
  }

  #note(member: string, reason: LeftOutReason, explanation: string): void {
    this.#leftOut.add(member, reason)
    this.#notes.add(member, explanation)
  }

  /**
   * Leaves out entries without read permission. Any other error, such as a failing disk, aborts the download, so that nobody
   * takes an incomplete archive for a complete one.
   */
  #orLeftOut<T>(member: string, open: () => T): T | undefined {
    try {
      return open()
    } catch (error) {
      const word = errnoCode(error)
      if (word !== 'EACCES' && word !== 'EPERM') throw error
      this.#note(member, 'unreadable', 'may not be read')
      return undefined
    }
  }
}
