import { isFilemgrError } from '../../domain/errors.ts'
import type { Visibility } from '../../domain/access/rule-check.ts'
import type { ArchiveSelection } from '../../domain/files/archives/archive-format.ts'
import type { LeftOutList } from '../../domain/files/left-out.ts'
import { isInside, nameOf, parentOf, ROOT } from '../../domain/files/virtual-path.ts'
import type { ArchiveCompressors } from '../../platform/archives/write/compress-tar.ts'
import {
  type MemberFile,
  openAhead,
  type OpenMember,
  packMembers,
  safeMemberPath,
} from '../../platform/archives/write/pack-members.ts'
import { type BucketFile, openObject } from './bucket-file.ts'
import { type BucketRoot, isShownIn, keyOf, lookUp } from './bucket-root.ts'
import { MODE_OF_FILE, MODE_OF_FOLDER } from './describe.ts'
import { shownEntries } from './tree.ts'

/** The archive as a stream. Its size is not announced, because files may be removed before their turn. */
export async function* archiveParts(
  root: BucketRoot,
  compressors: ArchiveCompressors,
  selection: ArchiveSelection,
  seen: SeenBy,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const members = openAhead(membersOf(root, selection, seen, signal), async (member) => await open(root, member))
  yield* packMembers(compressors, selection.format, members, signal)
}

interface SeenBy {
  readonly visibility: Visibility
  /** Gets the names that the archive cannot have. */
  readonly leftOut: LeftOutList
}

interface PlannedMember {
  readonly name: string
  /** Undefined for a folder. */
  readonly key: string | undefined
  /** Time of a folder, in nanoseconds since 1970. */
  readonly stored: bigint
}

/** Skips items that are missing or invisible. */
async function* membersOf(
  root: BucketRoot,
  { base, items, format }: ArchiveSelection,
  { visibility, leftOut }: SeenBy,
  signal?: AbortSignal,
): AsyncGenerator<PlannedMember, void, void> {
  const safePath = (path: string): string => {
    const safe = safeMemberPath(format, path)
    if (safe !== path) leftOut.add(path, 'renamed', safe)
    return safe
  }
  const isShown = isShownIn(visibility)
  for (const item of items) {
    if (item !== ROOT && !isShown(parentOf(item), nameOf(item))) continue
    const found = await orNothing(async () => await lookUp(root, keyOf(root, item)))
    if (found === undefined || !isInside(base, item)) continue
    const name = safePath(item.slice(base === ROOT ? 1 : base.length + 1))
    if (found.kind === 'file') {
      yield { name: name || safePath(nameOf(item) || root.rootName), key: found.key, stored: 0n }
      continue
    }
    if (name !== '') yield { name, key: undefined, stored: 0n }
    for await (const entries of shownEntries(root, item, visibility, signal))
      for (const { path, object, stored } of entries)
        yield { name: [name, safePath(path)].filter((part) => part !== '').join('/'), key: object?.key, stored }
  }
}

async function orNothing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (isFilemgrError(error, 'NOT_FOUND', 'FORBIDDEN')) return undefined
    throw error
  }
}

async function open(root: BucketRoot, { name, key, stored }: PlannedMember): Promise<OpenMember | undefined> {
  if (key === undefined) return { member: { name, mode: MODE_OF_FOLDER & 0o777, modified: stored }, file: undefined }
  const file = await openObject(root.bucket, key, name)
  return file && { member: { name, mode: MODE_OF_FILE, modified: file.modified }, file: memberFile(file) }
}

function memberFile(file: BucketFile): MemberFile {
  const { size } = file
  return {
    size,
    bytes: (signal) => file.bytes({ start: 0, end: size }, signal),
    [Symbol.asyncDispose]: async () => await file[Symbol.asyncDispose](),
  }
}
