import { cleanVirtualPath, isInside, relativeTo } from '../../domain/files/virtual-path.ts'
import type { ReportWriter } from '../filebrowser/import-report.ts'
import { booleanOf, integerOf, listOf, type OldRecord, textOf } from '../filebrowser/old-record.ts'
import type { ConvertedUser } from './convert-users.ts'
import { type QuantumSource, sourceNamed } from './quantum-config.ts'
import type { QuantumDatabase, QuantumShare } from './quantum-database.ts'
import type { ServedFolder } from './served-folder.ts'

export interface SharesConversion {
  readonly database: Pick<QuantumDatabase, 'shares'>
  readonly sources: readonly QuantumSource[]
  readonly served: ServedFolder
  readonly users: readonly ConvertedUser[]
  readonly report: ReportWriter
}

/** Links in the form of File Browser. Leaves out those that would let in more people here than in Quantum. */
export function convertShares(input: SharesConversion): OldRecord[] {
  return input.database.shares.flatMap((share) => {
    const subject = `share ${share.hash.slice(0, 64)} of ${share.path}`
    const link = linkOf(share, input) ?? 'it leads to a path outside the folder that its owner sees here'
    if (typeof link === 'string') {
      input.report.add('dropped', subject, link)
      return []
    }
    const lost = lostOf(share.settings)
    if (lost.length > 0) input.report.add('changed', subject, `loses ${lost.join(', ')}`)
    return [link]
  })
}

/** The link, or why it is left out; undefined if it leads out of the owner's scope. */
function linkOf(share: QuantumShare, { sources, served, users }: SharesConversion): OldRecord | string | undefined {
  const owner = users.find(({ user }) => user.id === share.owner)
  const source = sourceNamed(sources, share.source)
  if (owner === undefined) return `its owner, user ${share.owner}, does not exist`
  if (source === undefined) return `${share.source} is not a source in the configuration`
  if (source.isPrivate) return `the source ${source.name} is private`
  const limit = limitOf(share.settings)
  if (limit !== undefined) return `${limit}, which a link here cannot be limited to`
  const path = served.pathOf(source, cleanVirtualPath(share.path))
  if (!isInside(owner.scope, path)) return undefined
  return {
    hash: share.hash,
    // Quantum ends the paths of files with a slash, too.
    path: relativeTo(owner.scope, path),
    userid: owner.id,
    expire: share.expire,
    password_hash: share.passwordHash,
  }
}

/** Who or what a link is limited to. */
function limitOf(settings: OldRecord): string | undefined {
  if (listOf(settings, 'allowedUsernames').length > 0) return 'it is only for certain users'
  if (booleanOf(settings, 'disableAnonymous')) return 'it is only for people with an account'
  if (textOf(settings, 'shareType') === 'upload') return 'it is only for uploads'
  if (booleanOf(settings, 'disableDownload')) return 'it is only for viewing'
  if (textOf(settings, 'hideFileExt') !== '') return 'it hides some types of files'
  return integerOf(settings, 'downloadsLimit') > 0 ? 'it is for a number of downloads' : undefined
}

function lostOf(settings: OldRecord): string[] {
  const changes = ['allowCreate', 'allowUpload', 'allowModify', 'allowDelete', 'allowReplacements']
  return [
    changes.some((name) => settings[name] === true) && 'uploads and changes by visitors',
    integerOf(settings, 'maxBandwidth') > 0 && 'its bandwidth limit',
    booleanOf(settings, 'disableFileViewer') && 'its ban on viewing in the browser',
    ['banner', 'favicon', 'themeColor'].some((name) => textOf(settings, name) !== '') && 'its appearance',
  ].filter((lost) => lost !== false)
}
