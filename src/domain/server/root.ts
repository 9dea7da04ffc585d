import { type Static, Type } from 'typebox'
import { NO_ROOT } from '../accounts/place.ts'
import { fail } from '../errors.ts'
import { below, cleanVirtualPath, isInside, ROOT, segmentsOf, type VirtualPath } from '../files/virtual-path.ts'
import type { RootId } from '../ids.ts'
import { foldName } from '../text/fold.ts'
import { hasControls } from '../text/printable.ts'

/** Of each, a daemon keeps a folder open, and the sidebar of an administrator lists them all. */
export const MAX_ROOTS = 100
/** The root that always exists: what the server option `root` names. */
export const FILES_ROOT = 'files' as RootId
/** The other roots are folders in this one, which no user can see or make. */
export const ROOTS_FOLDER = '/.filemgr-roots' as VirtualPath

/** How administrators name a root. */
const RootRef = Type.Unsafe<RootId>(Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\w-]+$' }))

const GIVEN = {
  name: Type.String({ minLength: 1, maxLength: 64, title: 'Name' }),
  location: Type.String({
    minLength: 1,
    maxLength: 4096,
    title: 'Folder or bucket',
    description: 'An absolute path on the server, or a bucket such as s3://bucket/prefix.',
  }),
  mountPoint: Type.String({
    default: '',
    maxLength: 4096,
    title: 'Mount point',
    description: 'The root is away unless a disk is mounted here. Found out when a root is added; empty for none.',
  }),
  readOnly: Type.Boolean({ default: false, title: 'Read only', description: 'Nobody can change anything in it.' }),
  followLinks: Type.Boolean({
    default: false,
    title: 'Follow symbolic links out of it',
    description: 'Whoever can make links there can then read what the daemon can.',
  }),
  trashDays: Type.Integer({
    default: 30,
    minimum: 0,
    maximum: 3650,
    title: 'Days in trash',
    description: 'After this, items in the trash are deleted forever. 0 turns the trash off.',
  }),
  index: Type.Boolean({ default: true, title: 'Remember names for searches' }),
  quota: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    title: 'Quota',
    description: 'Of everything in it, for all users together. 0 means no limit.',
    'x-filemgr': { widget: 'bytes' },
  }),
  hidden: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
    default: [],
    maxItems: 64,
    title: 'Hidden names',
    description: 'Nobody sees such files and folders, nor what is in them: names with * and ?, such as *.tmp.',
    'x-filemgr': { widget: 'words', example: '*.tmp @eaDir' },
  }),
  warnAway: Type.Boolean({ default: true, title: 'Warn while its disk is away' }),
}

/** A named place for files beside the root `files`. */
export const Root = Type.Object({ id: RootRef, ...GIVEN })
export type Root = Static<typeof Root>

/** The values to set. In a new root, all others have their defaults. */
export const RootChange = Type.Partial(Type.Object(GIVEN))
export type RootChange = Static<typeof RootChange>

/** A root as administrators see it, and how it is at this moment. */
export const RootView = Type.Object({
  id: RootRef,
  ...GIVEN,
  /** "away" while its disk or bucket cannot be reached. */
  state: Type.Enum(['here', 'away']),
  /** Why it is away. */
  problem: Type.Optional(Type.String()),
  people: Type.Object(
    {
      users: Type.Array(Type.Object({ id: Type.Integer(), username: Type.String() })),
      groups: Type.Array(
        Type.Object({ id: Type.String(), name: Type.String(), members: Type.Integer({ minimum: 0 }) }),
      ),
    },
    { description: 'Accounts that live in it or have a place in it, and groups that give one' },
  ),
  /** Bytes; absent while it is away, and for a bucket. */
  total: Type.Optional(Type.Integer({ minimum: 0 })),
  free: Type.Optional(Type.Integer({ minimum: 0 })),
})
export type RootView = Static<typeof RootView>

/** A folder of a root, such as the one that an account sees as "/". */
export interface RootFolder {
  /** Absent for `files`. */
  readonly root?: RootId | undefined
  readonly scope: string
}

/** Where a root is among all served files. */
export function mountOf(root: RootId | undefined): VirtualPath {
  return root === undefined || root === FILES_ROOT ? ROOT : (`${ROOTS_FOLDER}/${root}` as VirtualPath)
}

/** Where such a folder is among all served files. Only this function knows how the scope of an account becomes a served path. */
export function servedFolderOf({ root, scope }: RootFolder): VirtualPath {
  return below(mountOf(root), cleanVirtualPath(scope))
}

/** The path of an entry among all served files. */
export function servedPathIn(folder: RootFolder, path: VirtualPath): VirtualPath {
  return below(servedFolderOf(folder), path)
}

/** The reverse of `mountOf`. */
export function rootOf(served: VirtualPath): RootId {
  return isInside(ROOTS_FOLDER, served) ? ((segmentsOf(served)[1] ?? '') as RootId) : FILES_ROOT
}

/** Whether a folder has an entry in it: that of `files` has those of other roots only by their paths. */
export function holds(folder: VirtualPath, served: VirtualPath): boolean {
  return isInside(folder, served) && rootOf(folder) === rootOf(served)
}

/** @throws INVALID_INPUT for a name that would be mistaken for something else */
export function requireRootName(name: string): string {
  const trimmed = name.trim()
  const refuse = (problem: string) => fail('INVALID_INPUT', problem, { field: 'name' })
  if (trimmed === '' || hasControls(trimmed)) refuse('a root needs a name of one line')
  if (/^id:/i.test(trimmed)) refuse('the name of a root cannot look like an id, such as "id:f3JkQ0aZ"')
  if (foldName(trimmed) === NO_ROOT) refuse(`"${NO_ROOT}" means no root; choose another name`)
  // People will see it as a folder.
  if (/[/\\]/.test(trimmed) || trimmed.startsWith('.'))
    refuse('the name of a root cannot be a path or begin with a dot')
  return trimmed
}

/** @throws INVALID_INPUT for what is no name, or hides everything */
export function requireHiddenNames(globs: readonly string[]): void {
  for (const glob of globs) {
    if (glob.includes('/')) fail('INVALID_INPUT', `${glob} is no name: leave out the slashes`, { field: 'hidden' })
    if (/^\**$/.test(glob)) fail('INVALID_INPUT', `${glob} would hide everything`, { field: 'hidden' })
  }
}

/** An expression that matches paths with such a name anywhere in them. */
export function patternOfHidden(glob: string): string {
  const name = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
  return `/${name}(/|$)`
}

/** Finds a root by its name, in any case, or by its id as "id:f3JkQ0aZ". @throws NOT_FOUND */
export function rootNamed<R extends Pick<Root, 'id' | 'name'>>(roots: readonly R[], nameOrId: string): R {
  const folded = foldName(nameOrId)
  return (
    roots.find(({ id }) => nameOrId === `id:${id}`) ??
    roots.find(({ name }) => foldName(name) === folded) ??
    fail('NOT_FOUND', `there is no root "${nameOrId}"; see "filemgr roots ls"`, { field: 'root' })
  )
}

/** The root that an account is to live in: also `files`, or none. @throws NOT_FOUND */
export function homeRootNamed(roots: readonly Pick<Root, 'id' | 'name'>[], nameOrId: string): RootId {
  const fixed = [NO_ROOT, FILES_ROOT].map((id) => ({ id, name: id }))
  return rootNamed([...fixed, ...roots], nameOrId).id
}

/** What people call a root; its id if it is gone. */
export function nameOfRoot(roots: readonly Pick<Root, 'id' | 'name'>[], id: RootId): string {
  return roots.find((root) => root.id === id)?.name ?? id
}
