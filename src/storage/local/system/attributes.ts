import { getAttribute, listAttributes, removeAttribute, setAttribute } from './gated-calls.ts'
import { at, type Handle, hold, HOLD_FOLDER_ITSELF, type Location } from './handle.ts'

/** An extended attribute, such as a tag of the user or an access control list. */
export interface Attribute {
  readonly name: string
  readonly value: Buffer
}

/** Which attributes an operation carries over. */
export type AttributeFilter = (name: string) => boolean

/** The path for attribute calls, which accept no Buffer and follow no link at the end; undefined if it is not UTF-8. */
export function attributePath({ folder, name }: Location): string | undefined {
  const path = at(folder, name)
  if (typeof path === 'string') return path
  return path.equals(Buffer.from(path.toString())) ? path.toString() : undefined
}

/** The same for an open folder. */
export function folderAttributePath(folder: Handle): string {
  return `${at(folder).toString()}/.`
}

/** Those of a folder, whatever bytes its name has: it is reached by its descriptor. Nothing reaches a file like that. */
export async function readFolderAttributes(folder: Location, isKept: AttributeFilter): Promise<Attribute[]> {
  const path = attributePath(folder)
  if (path !== undefined) return await readAttributes(path, isKept)
  using held = await hold(at(folder.folder, folder.name), HOLD_FOLDER_ITSELF).catch(() => undefined)
  return held === undefined ? [] : await readAttributes(folderAttributePath(held), isKept)
}

/** None where there are none: on a disk without attributes, or without a build of the calls for this machine. */
export async function readAttributes(path: string | undefined, isKept: AttributeFilter): Promise<Attribute[]> {
  const names = (await namesAt(path)).filter(isKept)
  if (path === undefined || names.length === 0) return []
  const read = names.map(async (name) => {
    const value = await getAttribute(path, name)
    return value === null ? [] : [{ name, value }]
  })
  return (await Promise.allSettled(read)).flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
}

/**
 * Sets attributes, and the mode between tags and access lists: the mode may forbid tags even to the owner, and setting it changes
 * the lists.
 *
 * @returns the names of those that the disk refuses
 */
export async function writeAttributes(
  path: string | undefined,
  attributes: readonly Attribute[],
  setMode?: () => Promise<void>,
): Promise<string[]> {
  const lostTags = await write(
    path,
    attributes.filter(({ name }) => !isAccessList(name)),
  )
  await setMode?.()
  const lostLists = await write(
    path,
    attributes.filter(({ name }) => isAccessList(name)),
  )
  return [...lostTags, ...lostLists]
}

async function write(path: string | undefined, attributes: readonly Attribute[]): Promise<string[]> {
  const lost = attributes.map(async ({ name, value }) => {
    if (path === undefined) return [name]
    return await setAttribute(path, name, value).then(
      () => [],
      () => [name],
    )
  })
  return (await Promise.all(lost)).flat()
}

/** Removes those that a new entry has inherited from its folder, and that its original did not have. */
export async function dropInherited(
  path: string | undefined,
  originals: readonly Attribute[],
  isKept: AttributeFilter,
): Promise<void> {
  if (path === undefined) return
  const isInherited = (name: string) => isKept(name) && originals.every((original) => original.name !== name)
  const dropped = (await namesAt(path)).filter(isInherited).map(async (name) => await removeAttribute(path, name))
  await Promise.allSettled(dropped)
}

export const isAccessList = (name: string): boolean => name.startsWith('system.')
export const ACCESS_LIST = 'system.posix_acl_access'
/** Which access list the new entries of a folder get. */
export const DEFAULT_LIST = 'system.posix_acl_default'

export async function hasAttribute(path: string | undefined, name: string): Promise<boolean> {
  return (await namesAt(path)).includes(name)
}

async function namesAt(path: string | undefined): Promise<string[]> {
  return path === undefined ? [] : await listAttributes(path).catch((): string[] => [])
}
