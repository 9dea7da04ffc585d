import { createHash } from 'node:crypto'
import type { ShareHash } from '../../domain/ids.ts'
import type { Share } from '../../domain/shares/share.ts'
import type { User } from '../../domain/accounts/user.ts'
import { PLAIN_TERMS, receivesFiles } from '../../domain/shares/share-terms.ts'
import { cleanVirtualPath, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { servedFolderOf } from '../../domain/server/root.ts'
import type { ImportedRoots } from './import-roots.ts'
import type { EntryIdentity } from '../../domain/files/entry-identity.ts'
import type { ReportWriter } from './import-report.ts'
import { integerOf, textOf, type LinkTerms, type OldRecord } from './old-record.ts'

export interface FoundTarget {
  readonly target: EntryIdentity
  readonly isDir: boolean
}

/** Finds the file or folder to which the link with this hash leads; undefined if there is none. */
export type FindTarget = (hash: string) => FoundTarget | undefined

export interface SharesImport {
  readonly links: readonly OldRecord[]
  readonly linkTerms: ReadonlyMap<string, LinkTerms>
  /** Owners by their old ids. */
  readonly owners: ReadonlyMap<number, User>
  readonly roots: ImportedRoots
  /** Hashes of the shares that exist here. */
  readonly taken: ReadonlySet<string>
  readonly findTarget: FindTarget
  readonly report: ReportWriter
  /** Milliseconds. */
  readonly now: number
}

const HASH = /^[A-Za-z0-9_-]{1,64}$/

/** Imports links so that they keep working: with their address, password and the token that download addresses contain. */
export function importShares(input: SharesImport): Share[] {
  const { links, taken, report } = input
  const shares = new Map<string, Share>()
  for (const link of links) {
    const hash = textOf(link, 'hash')
    const subject = `share ${hash.slice(0, 64)} of ${textOf(link, 'path')}`
    if (taken.has(hash)) {
      report.add('clashes', subject, 'exists here and is not changed')
      continue
    }
    const imported = shares.has(hash) ? 'another share has the same address' : importShare(link, hash, subject, input)
    if (typeof imported === 'string') report.add('dropped', subject, imported)
    else shares.set(hash, imported)
  }
  return [...shares.values()]
}

/** The share, or why it is not imported. */
function importShare(link: OldRecord, hash: string, subject: string, input: SharesImport): Share | string {
  const { owners, roots, findTarget, report, now } = input
  const owner = owners.get(integerOf(link, 'userid'))
  const expire = integerOf(link, 'expire')
  if (!HASH.test(hash)) return 'its address cannot be part of a link'
  if (owner === undefined) return `its owner, user ${integerOf(link, 'userid')}, does not exist`
  if (expire < 0 || (expire !== 0 && expire * 1000 <= now)) return 'it has expired'
  const path = pathOf(textOf(link, 'path'))
  const found = findTarget(hash)
  const folder = folderOf(link, owner, roots)
  if (folder === undefined) return `${owner.username} does not see its folder here`
  const given = input.linkTerms.get(hash)
  if (given?.terms.allows === 'upload' && found?.isDir === false)
    return 'it leads to a file, and only a folder can take files'
  if (given !== undefined && receivesFiles(given.terms) && !owner.perm.create) {
    report.add('lookAt', subject, `takes no files until ${owner.username} may create files`)
  }
  if (found === undefined) {
    report.add('lookAt', subject, `its file is missing; put it back, then: filemgr shares set ${hash} --rebind`)
  }
  const passwordHash = textOf(link, 'password_hash')
  const token = textOf(link, 'token')
  return {
    hash: hash as ShareHash,
    path,
    userID: owner.id,
    expire,
    scope: folder,
    created: 0,
    openings: 0,
    lastOpened: 0,
    ...(found === undefined ? {} : { target: found.target }),
    ...(given === undefined ? {} : termsFor(given, found)),
    ...(passwordHash === '' ? {} : { passwordHash }),
    ...(token === '' || passwordHash === '' ? {} : { tokenHash: createHash('sha256').update(token).digest('hex') }),
  }
}

/** The served folder in which its path begins; undefined if its owner has none such. In the form of File Browser, a link does not say it. */
function folderOf(link: OldRecord, owner: User, roots: ImportedRoots): VirtualPath | undefined {
  const location = textOf(link, 'root')
  if (location === '') return servedFolderOf(owner)
  const folder = servedFolderOf(roots.folderIn(location, textOf(link, 'scope')))
  return [owner, ...owner.places].some((seen) => servedFolderOf(seen) === folder) ? folder : undefined
}

/** A link to a file takes no files. */
function termsFor({ terms, downloads }: LinkTerms, found: FoundTarget | undefined): Partial<Share> {
  const isPlainFile = found?.isDir === false && terms.allows === 'both'
  const kept = isPlainFile ? { ...terms, allows: 'download' as const } : terms
  const isDefault = JSON.stringify(kept) === JSON.stringify(PLAIN_TERMS)
  return { ...(!isDefault && { terms: kept }), ...(kept.maxDownloads > 0 && downloads > 0 && { downloads }) }
}

/** Keeps a slash at the end: old clients look up the shares of a folder by its path with a slash. */
function pathOf(text: string): string {
  const clean = cleanVirtualPath(text)
  return text.endsWith('/') && clean !== '/' ? `${clean}/` : clean
}
