import type { Visitor } from '../../domain/accounts/actor.ts'
import { needsName } from '../../domain/shares/share-terms.ts'
import { termsOf } from '../../domain/shares/share.ts'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import { textOfBytes } from '../../domain/files/name-text.ts'
import { metadataValue, type UploadRecord } from '../../domain/uploads/upload.ts'
import {
  childOf,
  nameOf,
  parentOf,
  parseVirtualPath,
  requireNewName,
  ROOT,
  type VirtualPath,
} from '../../domain/files/virtual-path.ts'
import { composed } from '../../domain/text/fold.ts'
import { hasControls, printable, truncate } from '../../domain/text/printable.ts'
import type { FileAccess } from '../access/file-access.ts'
import { freeName } from '../files/free-name.ts'
import type { Arrivals } from '../shares/arrivals.ts'

/** Where to put a file of a visitor. */
export interface LinkTarget {
  /** In the owner's scope. */
  readonly folder: VirtualPath
  readonly name: string
  /** The name of the visitor; "" if the link does not ask for it. */
  readonly from: string
}

/** The name of the file that a visitor wants to send. @throws INVALID_INPUT for anything but one name */
export function sentName(text: string): string {
  const path = parseVirtualPath(text)
  requireNewName(path)
  if (path === ROOT || parentOf(path) !== ROOT || text.endsWith('/')) fail('INVALID_INPUT', 'send one file by its name')
  // The owner would see "exe.jpg" instead of "gpj.exe".
  if (hasControls(text)) fail('INVALID_INPUT', 'a file name cannot contain characters that reverse its text; rename it')
  return nameOf(path)
}

/**
 * Chooses the folder for a file of a visitor.
 *
 * @param sent `metadata` has the visitor's name as "from"; `now` is in milliseconds since 1970
 * @throws INVALID_INPUT if the link needs the name of the visitor, and it is missing
 */
export async function linkTarget(
  visitor: Visitor,
  files: FileAccess,
  sent: { readonly name: string; readonly metadata: string | undefined; readonly now: number },
): Promise<LinkTarget> {
  const { share } = visitor.link()
  const terms = termsOf(share)
  const given = textOfBytes(metadataValue(sent.metadata, 'from') ?? new Uint8Array())
  const from = given === '' && !needsName(terms) ? '' : visitorName(given)
  const top = parseVirtualPath(share.path)
  const { name } = sent
  if (terms.folders === 'none') return { folder: top, name, from }
  const folderName = terms.folders === 'visitor' ? from : new Date(sent.now).toISOString().slice(0, 10)
  // Never a symbolic link of this name, which may lead out of the shared folder.
  return {
    folder: await freeName(childOf(top, folderName), async (path) => await isFolderOrFree(files, path)),
    name,
    from,
  }
}

/**
 * Runs `work` with a free path, which has a number in its name if needed. So nothing is replaced, and the sender of a file does
 * not learn which names are taken.
 */
export async function underFreeName<T>(
  files: FileAccess,
  preferred: VirtualPath,
  work: (path: VirtualPath) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const path = await freeName(preferred, async (each) => (await files.scope.kindOf(each)) === undefined)
    files.require('uploads.begin', path)
    files.requireAllowed(path)
    try {
      return await work(path)
    } catch (error) {
      // Another request took the name in between.
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
 * The arrival that the link still expects from this upload.
 *
 * @throws NOT_FOUND if the link has been removed meanwhile
 */
export function expectedBy(arrivals: Pick<Arrivals, 'find'>, { link, id }: UploadRecord) {
  return (link === undefined ? undefined : arrivals.find(link, id)) ?? fail('NOT_FOUND', 'there is no such share')
}

const MAX_NAME = 100

/**
 * The name that a visitor gives, safe as the name of a folder.
 *
 * @throws INVALID_INPUT if nothing usable remains
 */
function visitorName(text: string): string {
  if (!text.isWellFormed()) fail('INVALID_INPUT', 'the name of the sender must be valid text', { field: 'from' })
  const cleaned = printable(composed(text), () => ' ')
    .replace(/[\u200b\u2060\ufeff/\\:*?"<>|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\.+/, '')
  const name = truncate(cleaned, MAX_NAME).trim()
  if (name === '') fail('INVALID_INPUT', 'say who sends the files', { field: 'from' })
  return name
}
