import { cleanVirtualPath, isInside, relativeTo } from '../../domain/files/virtual-path.ts'
import type { ReportWriter } from '../filebrowser/import-report.ts'
import type { LinkTerms, OldRecord } from '../filebrowser/old-record.ts'
import { obstacleOf, termsOf } from './convert-share-terms.ts'
import type { ConvertedUser } from './convert-users.ts'
import { type QuantumSource, sourceNamed, type ServedFolder } from './quantum-config.ts'
import type { QuantumDatabase, QuantumShare } from './quantum-database.ts'

export interface SharesConversion {
  readonly database: Pick<QuantumDatabase, 'shares'>
  readonly sources: readonly QuantumSource[]
  readonly served: ServedFolder
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
function linkOf(share: QuantumShare, { sources, served, users }: SharesConversion): OldRecord | string | undefined {
  const owner = users.find(({ user }) => user.id === share.owner)
  const source = sourceNamed(sources, share.source)
  if (owner === undefined) return `its owner, user ${share.owner}, does not exist`
  if (source === undefined) return `${share.source} is not a source in the configuration`
  if (source.isPrivate) return `the source ${source.name} is private`
  const obstacle = obstacleOf(share.settings)
  if (obstacle !== undefined) return `${obstacle}, which a link here cannot be limited to`
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
