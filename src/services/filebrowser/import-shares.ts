import { createHash } from 'node:crypto'
import type { ShareHash } from '../../domain/ids.ts'
import type { Share, ShareTarget } from '../../domain/access/share.ts'
import type { User } from '../../domain/accounts/user.ts'
import { cleanVirtualPath } from '../../domain/files/virtual-path.ts'
import type { ReportWriter } from './import-report.ts'
import { integerOf, textOf, type OldRecord } from './old-record.ts'

/** Tells what is at a path of a user now; undefined when nothing is. */
export type FindTarget = (owner: Pick<User, 'scope'>, path: string) => ShareTarget | undefined

export interface SharesImport {
  readonly links: readonly OldRecord[]
  /** By their old ids. */
  readonly owners: ReadonlyMap<number, User>
  /** Addresses of links that are here already. */
  readonly taken: ReadonlySet<string>
  readonly findTarget: FindTarget
  readonly report: ReportWriter
  /** Milliseconds. */
  readonly now: number
}

const HASH = /^[A-Za-z0-9_-]{1,64}$/

/** Links that go on working: address, password and the token that people may have in their address bar. */
export function importShares(input: SharesImport): Share[] {
  const { links, taken, report } = input
  const shares = new Map<string, Share>()
  for (const link of links) {
    const hash = textOf(link, 'hash')
    const subject = `share ${hash.slice(0, 64)} of ${textOf(link, 'path')}`
    if (taken.has(hash)) {
      report.add('clashes', subject, 'is here already and stays as it is')
      continue
    }
    const found = shares.has(hash) ? 'another one has the same address' : importShare(link, hash, subject, input)
    if (typeof found === 'string') report.add('dropped', subject, found)
    else shares.set(hash, found)
  }
  return [...shares.values()]
}

/** The share, or why it is none. */
function importShare(link: OldRecord, hash: string, subject: string, input: SharesImport): Share | string {
  const { owners, findTarget, report, now } = input
  const owner = owners.get(integerOf(link, 'userid'))
  const expire = integerOf(link, 'expire')
  if (!HASH.test(hash)) return 'its address cannot be part of a link'
  if (owner === undefined) return `its owner, user ${integerOf(link, 'userid')}, is not there`
  if (expire < 0 || (expire !== 0 && expire * 1000 <= now)) return 'it has expired'
  const path = pathOf(textOf(link, 'path'))
  const target = findTarget(owner, path)
  if (target === undefined) {
    report.add('lookAt', subject, `nothing is at its path now; bring it back and: filemgr shares set ${hash} --rebind`)
  }
  const passwordHash = textOf(link, 'password_hash')
  const token = textOf(link, 'token')
  return {
    hash: hash as ShareHash,
    path,
    userID: owner.id,
    expire,
    scope: cleanVirtualPath(owner.scope),
    created: 0,
    openings: 0,
    lastOpened: 0,
    ...(target === undefined ? {} : { target }),
    ...(passwordHash === '' ? {} : { passwordHash }),
    ...(token === '' || passwordHash === '' ? {} : { tokenHash: createHash('sha256').update(token).digest('hex') }),
  }
}

/** A slash at the end is part of how old clients ask for a share. */
function pathOf(text: string): string {
  const clean = cleanVirtualPath(text)
  return text.endsWith('/') && clean !== '/' ? `${clean}/` : clean
}
