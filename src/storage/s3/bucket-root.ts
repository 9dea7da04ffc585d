import { fail, isFilemgrError } from '../../domain/errors.ts'
import { compileRules, type RuleCheck, type Visibility } from '../../domain/access/rule-check.ts'
import { below, nameOf, parentOf, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Clock } from '../../platform/clock.ts'
import type { NameLocks } from '../../platform/limits/name-locks.ts'
import { compilePattern } from '../../platform/validation/pattern.ts'
import { isReservedName, creatableSegments, reachableSegments, type StagedNames } from '../reserved-names.ts'
import type { Scope, TransferMode, Work } from '../storage.ts'
import type { Bucket } from './bucket.ts'
import { lockKeys } from './effects.ts'
import { mapParallel } from './in-parallel.ts'
import type { DetailsCache, JustSeen } from './details-cache.ts'
import type { StoredObject } from './stored-object.ts'

/** The root of a scope: a prefix of keys. The key of a file is its path, so that other programs see the same files. */
export interface BucketRoot {
  readonly bucket: Bucket
  /** Key prefix of the whole storage, directly under which staged files lie. */
  readonly home: string
  /** Key prefix of the scope: "", or with a slash at its end. */
  readonly prefix: string
  /** The key of the only file, if the scope is a single file. */
  readonly file?: string
  /** Undefined without rules. */
  readonly permits: RuleCheck | undefined
  /** Path of the root as the rules see it. */
  readonly realPrefix: VirtualPath
  /** Name of the root, if the user may see it. */
  readonly rootName: string
  readonly staged: StagedNames
  readonly details: DetailsCache
  readonly locks: NameLocks
  readonly justSeen: JustSeen
  readonly clock: Clock
}

/** A scope of this driver, as another one sees it that transfers into it. */
export interface OfBucketRoot {
  readonly root: BucketRoot
}

/** Whether the server can copy to the target of a transfer by itself. */
export function isInBucket({ bucket }: BucketRoot, into: Scope): boolean {
  return 'root' in into && (into as Scope & OfBucketRoot).root.bucket === bucket
}

/** Where the target of a transfer is. */
export function targetRoot(own: BucketRoot, { into }: Pick<TransferMode, 'into'>): BucketRoot {
  return into === undefined ? own : (into as Scope & OfBucketRoot).root
}

/** Bytes. */
const MAX_KEY = 1024
const MAX_NAME = 255
// eslint-disable-next-line no-control-regex -- the characters that XML 1.0 does not allow
const NOT_XML = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

/** The key of an existing entry. @throws NOT_FOUND for reserved names, FORBIDDEN by rules, INVALID_INPUT */
export function keyOf(root: BucketRoot, path: VirtualPath): string {
  return keyBy(root, path, reachableSegments(path))
}

/** The key of an entry to create. @throws FORBIDDEN for reserved names and by rules, INVALID_INPUT */
export function newKeyOf(root: BucketRoot, path: VirtualPath): string {
  const key = keyBy(root, path, creatableSegments(path))
  if (Buffer.byteLength(key) > MAX_KEY) fail('INVALID_INPUT', `the path is longer than the ${MAX_KEY} bytes of a key`)
  // Listings are XML, and not every server escapes characters that XML does not allow.
  if (NOT_XML.test(key)) fail('INVALID_INPUT', 'a name in a bucket cannot contain control characters')
  return key
}

function keyBy(root: BucketRoot, path: VirtualPath, segments: readonly string[]): string {
  // Keys are UTF-8. A lone surrogate would become U+FFFD, which is another name.
  if (!path.isWellFormed()) fail('INVALID_INPUT', 'a path in a bucket must be valid text')
  if (root.permits?.(below(root.realPrefix, path)) === false) fail('FORBIDDEN', 'a rule denies this path')
  if (root.file === undefined) return root.prefix + segments.join('/')
  return path === ROOT ? root.file : fail('NOT_FOUND', 'there is nothing at this path')
}

/** The prefix of all keys in a folder. An empty object with this key, its marker, makes an empty folder. */
export function folderKey(root: BucketRoot, key: string): string {
  return key === root.prefix ? key : `${key}/`
}

export type Found =
  | { readonly kind: 'file'; readonly key: string; readonly object: StoredObject }
  | { readonly kind: 'folder'; readonly key: string; readonly beside?: StoredObject | undefined }

/** The entry at a key. If other programs have made a file beside a folder, returns the folder; the file can still be opened. */
export async function lookUp(root: BucketRoot, key: string): Promise<Found | undefined> {
  if (isRoot(root, key)) return { kind: 'folder', key }
  const { isFile, isFolder } = await root.bucket.glance(key)
  return foundAt(key, isFolder, isFile ? await root.bucket.head(key) : undefined)
}

/** The same for an entry that is probably there. */
async function lookUpPresent(root: BucketRoot, key: string): Promise<Found | undefined> {
  if (isRoot(root, key)) return { kind: 'folder', key }
  const [{ isFolder }, object] = await Promise.all([
    root.justSeen.take(key) ?? root.bucket.glance(key),
    root.bucket.head(key),
  ])
  return foundAt(key, isFolder, object)
}

/** The same for a first look, before everything is judged again at the moment of effect. */
export async function lookUpFirst(root: BucketRoot, key: string): Promise<Found | undefined> {
  const seen = root.justSeen.take(key)
  return seen === undefined || seen.isFile || seen.isFolder ? await lookUp(root, key) : undefined
}

/** Without details. If there are both, a folder. */
export async function kindAt(root: BucketRoot, key: string): Promise<Found['kind'] | undefined> {
  if (isRoot(root, key)) return 'folder'
  const seen = await root.bucket.glance(key)
  root.justSeen.put(key, seen)
  if (seen.isFolder) return 'folder'
  return seen.isFile ? 'file' : undefined
}

function isRoot(root: BucketRoot, key: string): boolean {
  return key === root.prefix && root.file === undefined
}

function foundAt(key: string, isFolder: boolean, object: StoredObject | undefined): Found | undefined {
  if (isFolder) return { kind: 'folder', key, beside: object }
  return object && { kind: 'file', key, object }
}

/** @throws NOT_FOUND, INVALID_INPUT below a file */
export async function find(root: BucketRoot, path: VirtualPath): Promise<Found> {
  return (await lookUpPresent(root, keyOf(root, path))) ?? (await failMissing(root, path))
}

/** @throws NOT_FOUND; INVALID_INPUT below a file */
export async function failMissing(root: BucketRoot, path: VirtualPath): Promise<never> {
  await requireNoFileAbove(root, path)
  fail('NOT_FOUND', 'there is nothing at this path')
}

async function requireNoFileAbove(root: BucketRoot, path: VirtualPath): Promise<void> {
  const above = foldersAbove(path).map((folder) => keyOf(withoutRules(root), folder))
  const files = await mapParallel(above, async (key) => await root.bucket.head(key))
  if (files.some((file) => file !== undefined)) fail('INVALID_INPUT', 'a part of the path is not a folder')
}

/** For checking parent folders: rules may allow an entry of a denied folder. */
export function withoutRules(root: BucketRoot): BucketRoot {
  return { ...root, permits: undefined }
}

/** The folders above a path, innermost first, without the root. */
function foldersAbove(path: VirtualPath): VirtualPath[] {
  const folders: VirtualPath[] = []
  for (let folder = parentOf(path); folder !== ROOT; folder = parentOf(folder)) folders.push(folder)
  return folders
}

/**
 * Creates the missing folders above a path. Each gets a marker: otherwise it would disappear with its last file.
 *
 * @throws INVALID_INPUT below a file, FORBIDDEN
 */
export async function makeFoldersAbove(
  root: BucketRoot,
  path: VirtualPath,
  { admitFolder }: Pick<Work, 'admitFolder'> = {},
): Promise<void> {
  const parent = parentOf(path)
  if (parent === ROOT) return
  const prefixOf = (folder: VirtualPath) => `${newKeyOf(withoutRules(root), folder)}/`
  if ((await root.bucket.first(prefixOf(parent))) !== undefined) return
  await requireNoFileAbove(root, path)
  const above = foldersAbove(path)
  const present = await mapParallel(above, async (folder) => await root.bucket.first(prefixOf(folder)))
  const missing = above.filter((_, index) => present[index] === undefined)
  // From the outside in, so that a failure midway leaves complete folders.
  const keys = missing.map((folder) => newKeyOf(root, folder))
  for (const key of keys.toReversed()) await makeNewFolder(root, key, { admitFolder })
}

/** Makes a folder that is missing. */
export async function makeNewFolder(
  root: BucketRoot,
  key: string,
  { admitFolder }: Pick<Work, 'admitFolder'>,
): Promise<void> {
  admitFolder?.(1)
  if (!(await makeMarker(root, key))) admitFolder?.(-1)
}

/** Creates the marker of a folder, unless it exists. @returns false if it does. @throws CONFLICT if there is a file */
export async function makeMarker(root: BucketRoot, key: string): Promise<boolean> {
  using held = await lockKeys(root, key)
  if ((await root.bucket.head(key)) !== undefined) fail('CONFLICT', 'a file is in the way', { reason: 'fileInWay' })
  await held.confirm()
  return await putMarker(root, key)
}

/** The same while the name is held, after looking for a file. */
export async function putMarker(root: BucketRoot, key: string): Promise<boolean> {
  const { bucket, clock } = root
  // The marker of another program may have content.
  if (!(await bucket.honoured()).put && (await bucket.head(`${key}/`)) !== undefined) return false
  const modified = BigInt(clock.now()) * 1_000_000n
  const marker = { headers: { ContentType: 'application/x-directory' }, modified, condition: 'new' } as const
  try {
    await bucket.put(`${key}/`, new Uint8Array(), marker)
    return true
  } catch (error) {
    if (isFilemgrError(error, 'PRECONDITION_FAILED')) return false
    throw error
  }
}

/** Call after removing an entry: its folder must not disappear with it. */
export async function keepFolderAbove(root: BucketRoot, path: VirtualPath): Promise<void> {
  const parent = parentOf(path)
  if (parent === ROOT || path === ROOT) return
  const key = keyOf(withoutRules(root), parent)
  if ((await root.bucket.first(`${key}/`)) === undefined) await makeMarker(root, key)
}

export type IsShown = (folder: VirtualPath, name: string) => boolean

/** Whether the user can see a name in a folder. Hides entries that rules deny, reserved names and, if requested, dotfiles. */
export function isShownIn({ rules, rulePrefix, hideDotfiles }: Visibility): IsShown {
  const permits = rules.length === 0 ? undefined : compileRules(rules, compilePattern)
  return (folder, name) => {
    if (name.startsWith('.') && (hideDotfiles || isReservedName(name))) return false
    return permits?.(below(rulePrefix, below(folder, `/${name}` as VirtualPath))) !== false
  }
}

/** False for parts of keys that are not paths, such as "a//b", or not UTF-8. Other programs can make these; they are not shown. */
export function isName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || !name.isWellFormed()) return false
  return name.length * 3 <= MAX_NAME || Buffer.byteLength(name) <= MAX_NAME
}

/** The name that the user sees for a path. */
export function shownNameOf(root: BucketRoot, path: VirtualPath): string {
  return nameOf(path) || root.rootName
}
