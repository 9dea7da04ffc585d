import type { Visitor } from '../../domain/accounts/actor.ts'
import { needsName, visitorName } from '../../domain/access/share-terms.ts'
import { termsOf } from '../../domain/access/share.ts'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import { metadataValue, type UploadRecord } from '../../domain/files/upload.ts'
import {
  childOf,
  nameOf,
  parentOf,
  parseVirtualPath,
  requireNewName,
  ROOT,
  type VirtualPath,
} from '../../domain/files/virtual-path.ts'
import type { FileAccess } from '../access/access.ts'
import { freeName } from '../files/free-name.ts'
import type { Arrivals } from '../shares/arrivals.ts'

/** Where a file of a visitor is to be put. */
export interface LinkTarget {
  /** In the owner's scope. */
  readonly folder: VirtualPath
  readonly name: string
  /** Who sends it; "" if they were not asked. */
  readonly from: string
}

/** The name of the file that a visitor wants to send. @throws INVALID_INPUT for anything but one name */
export function sentName(text: string): string {
  const path = parseVirtualPath(text)
  requireNewName(path)
  if (path === ROOT || parentOf(path) !== ROOT || text.endsWith('/')) fail('INVALID_INPUT', 'send one file by its name')
  return nameOf(path)
}

/**
 * @param metadata in which the visitor's name is "from"
 * @param now milliseconds since 1970
 * @throws INVALID_INPUT without a name of the visitor, where it is needed
 */
export async function linkTarget(
  { share }: Visitor,
  files: FileAccess,
  sent: { readonly name: string; readonly metadata: string | undefined; readonly now: number },
): Promise<LinkTarget> {
  const terms = termsOf(share)
  const given = new TextDecoder().decode(metadataValue(sent.metadata, 'from'))
  const from = given === '' && !needsName(terms) ? '' : visitorName(given)
  const top = parseVirtualPath(share.path)
  const { name } = sent
  if (terms.folders === 'none') return { folder: top, name, from }
  const wanted = terms.folders === 'visitor' ? from : new Date(sent.now).toISOString().slice(0, 10)
  // Not through a link of this name: it may lead out of the shared folder.
  return { folder: await freeName(childOf(top, wanted), async (path) => await isFolderOrFree(files, path)), name, from }
}

/**
 * Does something with the first free name, a number in it if needed: nothing is replaced, and the sender of a file does not
 * learn which names are taken.
 */
export async function underFreeName<T>(
  files: FileAccess,
  wanted: VirtualPath,
  work: (path: VirtualPath) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const path = await freeName(wanted, async (each) => (await files.scope.kindOf(each)) === undefined)
    files.requireAllowed(path)
    try {
      return await work(path)
    } catch (error) {
      // Somebody else took the name in between.
      if (tries === MAX_TRIES || !isFilemgrError(error, 'CONFLICT')) throw error
    }
  }
}

const MAX_TRIES = 100

async function isFolderOrFree(files: FileAccess, path: VirtualPath): Promise<boolean> {
  const kind = await files.scope.kindOf(path)
  return kind === undefined || kind === 'folder'
}

/**
 * The file that the link still expects by this upload.
 *
 * @throws NOT_FOUND if the link has been removed meanwhile
 */
export function expectedBy(arrivals: Pick<Arrivals, 'find'>, { link, id }: UploadRecord) {
  return (link === undefined ? undefined : arrivals.find(link, id)) ?? fail('NOT_FOUND', 'there is no such share')
}
