import { cleanVirtualPath, isInside, relativeTo } from '../../domain/files/virtual-path.ts'
import type { ReportWriter } from '../filebrowser/import-report.ts'
import { type LinkTerms, type OldRecord, booleanOf, integerOf, listOf, textOf } from '../filebrowser/old-record.ts'
import type { ConvertedUser } from './convert-users.ts'
import { type QuantumSource, sourceNamed } from './quantum-config.ts'
import type { QuantumDatabase, QuantumShare } from './quantum-database.ts'
import {
  MAX_MESSAGE,
  MAX_TITLE,
  PLAIN_TERMS,
  receivesFiles,
  type ShareKind,
  type ShareTerms,
} from '../../domain/shares/share-terms.ts'

export interface SharesConversion {
  readonly database: Pick<QuantumDatabase, 'shares'>
  readonly sources: readonly QuantumSource[]
  readonly users: readonly ConvertedUser[]
  readonly report: ReportWriter
}

export interface ConvertedShares {
  readonly links: readonly OldRecord[]
  /** By the hash of the link. */
  readonly linkTerms: [hash: string, terms: LinkTerms][]
}

/** Links in the form of File Browser, and their terms. Leaves out those that would let in more people here than in Quantum. */
export function convertShares(input: SharesConversion): ConvertedShares {
  const linkTerms = new Map<string, LinkTerms>()
  const links = input.database.shares.flatMap((share) => {
    const subject = `share ${share.hash.slice(0, 64)} of ${share.path}`
    const link = linkOf(share, input) ?? 'it leads to a path outside the folder that its owner sees here'
    if (typeof link === 'string') {
      input.report.add('dropped', subject, link)
      return []
    }
    const { lost, ...terms } = termsOf(share.settings)
    linkTerms.set(share.hash, terms)
    if (lost.length > 0) input.report.add('changed', subject, `loses ${lost.join(', ')}`)
    return [link]
  })
  return { links, linkTerms: [...linkTerms] }
}

/** The link, or why it is left out; undefined if it leads out of the owner's scope. */
function linkOf(share: QuantumShare, { sources, users }: SharesConversion): OldRecord | string | undefined {
  const owner = users.find(({ user }) => user.id === share.owner)
  const source = sourceNamed(sources, share.source)
  if (owner === undefined) return `its owner, user ${share.owner}, does not exist`
  if (source === undefined) return `${share.source} is not a source in the configuration`
  if (source.isPrivate) return `the source ${source.name} is private`
  const obstacle = obstacleOf(share.settings)
  if (obstacle !== undefined) return `${obstacle}, which a link here cannot be limited to`
  const path = cleanVirtualPath(share.path)
  const seen = owner.seen.find((folder) => folder.source === source)
  if (seen === undefined || !isInside(seen.folder, path)) return undefined
  return {
    hash: share.hash,
    // Quantum ends the paths of files with a slash, too.
    path: relativeTo(seen.folder, path),
    root: source.location,
    scope: seen.folder,
    userid: owner.id,
    expire: share.expire,
    password_hash: share.passwordHash,
  }
}

/** Why a link of Quantum is left out: here it would let in more people, or show them more. Undefined if it can be imported. */
function obstacleOf(settings: OldRecord): string | undefined {
  if (listOf(settings, 'allowedUsernames').length > 0) return 'it is only for certain users'
  if (booleanOf(settings, 'disableAnonymous')) return 'it is only for people with an account'
  if (booleanOf(settings, 'perUserDownloadLimit')) return 'it counts the downloads of each account'
  if (textOf(settings, 'hideFileExt') !== '') return 'it hides some types of files'
  const showsNames = booleanOf(settings, 'disableDownload') && booleanOf(settings, 'disableFileViewer')
  return showsNames && !isForUploads(settings) ? 'it shows names of files only' : undefined
}

/** The terms of a link, and what is lost, for the report. */
function termsOf(settings: OldRecord): LinkTerms & { readonly lost: readonly string[] } {
  const [title, message] = [textOf(settings, 'title'), textOf(settings, 'description')]
  const allows = kindOf(settings)
  const terms: ShareTerms = {
    ...PLAIN_TERMS,
    allows,
    title: shortened(title, MAX_TITLE),
    message: shortened(message, MAX_MESSAGE),
    maxDownloads: Math.max(0, integerOf(settings, 'downloadsLimit')),
  }
  const isShorter = terms.title !== title.trim() || terms.message !== message.trim()
  const changes = ['allowModify', 'allowDelete', 'allowReplacements']
  const isHidden = allows === 'upload'
  const lost = [
    takesFiles(settings) &&
      !receivesFiles({ allows }) &&
      'uploads by visitors, since a link here cannot be for viewing and uploads',
    changes.some((name) => booleanOf(settings, name)) && 'changes, deletions and replacements by visitors',
    integerOf(settings, 'maxBandwidth') > 0 && 'its bandwidth limit',
    !isHidden && booleanOf(settings, 'disableFileViewer') && 'its ban on viewing in the browser',
    isShorter && 'the end of its title or description',
    ['banner', 'favicon', 'themeColor'].some((name) => textOf(settings, name) !== '') && 'its appearance',
  ].filter((text) => text !== false)
  return { terms, downloads: Math.max(0, integerOf(settings, 'downloads')), lost }
}

function kindOf(settings: OldRecord): ShareKind {
  if (isForUploads(settings)) return 'upload'
  if (booleanOf(settings, 'disableDownload')) return 'view'
  return takesFiles(settings) ? 'both' : 'download'
}

function isForUploads(settings: OldRecord): boolean {
  return textOf(settings, 'shareType') === 'upload'
}

/** Early releases called it `allowUpload`. */
function takesFiles(settings: OldRecord): boolean {
  return booleanOf(settings, 'allowCreate') || booleanOf(settings, 'allowUpload')
}

function shortened(text: string, length: number): string {
  const start = text.trim().slice(0, length)
  // Half of a character is no text.
  return start.replace(/[\uD800-\uDBFF]$/, '')
}
