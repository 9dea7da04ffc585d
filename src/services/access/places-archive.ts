import { mayDo } from '../../domain/access/permissions.ts'
import { isFilemgrError, throwIfCancelled, unlessFails } from '../../domain/errors.ts'
import type { ArchiveContent, ArchiveSelection } from '../../domain/files/archives/archive-format.ts'
import { timeOfMilliseconds } from '../../domain/files/file-time.ts'
import { LeftOutList } from '../../domain/files/left-out.ts'
import { below, isInside, numberedName, relativeTo, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { NOTE, NOTE_BEGIN, Notes } from '../../platform/archives/write/notes.ts'
import {
  type MemberFile,
  openAhead,
  type OpenMember,
  safeMemberPath,
} from '../../platform/archives/write/pack-members.ts'
import type { OpenFile } from '../../storage/open-file.ts'
import type { FileAccess } from './file-access.ts'
import { mayDownloadIn, packerOf, type PlaceInAll, topOf } from './place-in-all.ts'

/** A storage does not tell the permission bits of an open file. */
const FILE_MODE = 0o644
const FOLDER_MODE = 0o755

interface PlannedMember {
  /** In the archive. */
  readonly name: string
  readonly files: FileAccess
  /** In the place. */
  readonly path: VirtualPath
  readonly isDir: boolean
  /** ISO. */
  readonly modified: string
}

/** An archive of what may be downloaded in several places. A text file at its end says which of them are away. */
export function archiveOfPlaces(
  places: readonly PlaceInAll[],
  selection: ArchiveSelection,
  signal?: AbortSignal,
): ArchiveContent {
  const leftOut = new LeftOutList()
  const packer = packerOf(places)
  return {
    parts: () => packer.pack(selection.format, membersOf(places, selection, leftOut, signal), signal),
    leftOut: () => leftOut.entries,
  }
}

async function* membersOf(
  places: readonly PlaceInAll[],
  selection: ArchiveSelection,
  leftOut: LeftOutList,
  signal?: AbortSignal,
): AsyncGenerator<OpenMember, void, void> {
  const notes = new Notes()
  let newest = 0n
  const likeNote = new Set<string>()

  const open = async ({ name, files, path, isDir, modified }: PlannedMember): Promise<OpenMember | undefined> => {
    if (isDir) {
      const time = timeOfMilliseconds(Date.parse(modified))
      return { member: { name, mode: FOLDER_MODE, modified: time }, file: undefined }
    }
    try {
      const file = await files.scope.open(path)
      return { member: { name, mode: FILE_MODE, modified: file.modified }, file: memberFile(file) }
    } catch (error) {
      // Removed meanwhile, a link to nothing or to a folder, or what is no regular file or may not be read.
      if (isFilemgrError(error, 'NOT_FOUND')) return undefined
      if (isFilemgrError(error, 'CONFLICT')) leftOut.add(name, 'link')
      else if (isFilemgrError(error, 'FORBIDDEN')) {
        leftOut.add(name, 'unreadable')
        notes.add(name, 'may not be read')
      } else throw error
      return undefined
    }
  }

  const noteAway = (name: string, problem: Error) => {
    leftOut.add(name, 'unreadable')
    notes.add(name, problem.message)
  }
  for await (const opened of openAhead(plannedMembers(places, selection, { leftOut, noteAway }, signal), open)) {
    const { name, modified } = opened.member
    if (modified > newest) newest = modified
    if (name.startsWith(NOTE_BEGIN)) likeNote.add(name)
    yield opened
  }
  const text = notes.text()
  if (text === undefined) return
  let name = NOTE
  for (let number = 1; likeNote.has(name); number += 1) name = numberedName(NOTE, number)
  // Not the current time, so that the same files make the same archive.
  yield { member: { name, mode: FILE_MODE, modified: newest }, file: textFile(text) }
}

interface Planning {
  readonly leftOut: LeftOutList
  readonly noteAway: (name: string, problem: Error) => void
}

/** Skips what is missing, invisible, or may not be downloaded. */
async function* plannedMembers(
  places: readonly PlaceInAll[],
  { base, items, format }: ArchiveSelection,
  { leftOut, noteAway }: Planning,
  signal?: AbortSignal,
): AsyncGenerator<PlannedMember, void, void> {
  const nameIn = (path: VirtualPath): string => {
    const relative = relativeTo(base, path).slice(1)
    const safe = safeMemberPath(format, relative)
    if (safe !== relative) leftOut.add(relative, 'renamed', safe)
    return safe
  }
  for (const item of items.flatMap((path) => (path === ROOT ? places.map(topOf) : [path]))) {
    const place = places.find((each) => isInside(topOf(each), item))
    if (place === undefined) continue
    const { files, problem } = place
    if (files === undefined) {
      noteAway(nameIn(item), problem)
      continue
    }
    if (!mayDownloadIn(files)) continue
    const top = topOf(place)
    const inner = relativeTo(top, item)
    const own = await statOf(files, inner)
    if (own === undefined) continue
    const { isDir, modified } = own
    if (!isDir && !mayDo(files.permissionsAt(inner), 'downloads.raw')) continue
    const name = nameIn(item)
    if (name !== '') yield { name, files, path: inner, isDir, modified }
    if (!isDir) continue
    for await (const batch of files.scope.walk(inner, files.readableView(), signal))
      for (const entry of batch) {
        const path = entry.path as VirtualPath
        yield { ...entry, name: nameIn(below(top, path)), files, path }
      }
  }
}

async function statOf(files: FileAccess, path: VirtualPath) {
  if (!files.allows(path)) return undefined
  return await unlessFails(files.scope.stat(path, { ...files.view('/'), sniff: false }), 'NOT_FOUND', 'FORBIDDEN')
}

function memberFile(file: OpenFile): MemberFile {
  const { size } = file
  return {
    size,
    bytes: (signal) => bytesOf(file, signal),
    [Symbol.asyncDispose]: async () => await file[Symbol.asyncDispose](),
  }
}

async function* bytesOf(file: OpenFile, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, void> {
  if (file.size === 0) return
  for await (const bytes of file.stream(0, file.size - 1)) {
    throwIfCancelled(signal)
    yield bytes as Uint8Array
  }
}

function textFile(text: string): MemberFile {
  const bytes = Buffer.from(text)
  return {
    size: bytes.length,
    async *bytes() {
      yield bytes
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
}
