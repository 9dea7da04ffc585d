import type { ShareDetails } from '../domain/share.ts'
import type { Answer } from './output.ts'
import { drawTable } from './table.ts'

/** A share as commands print it: with its address, and the seconds that are left; null when it is permanent. */
export interface ListedShare extends ShareDetails {
  readonly url: string
  readonly remaining: number | null
}

const HEADINGS = ['HASH', 'USER', 'PATH', 'REMAINING', 'PASSWORD', 'OPENED', 'TARGET', 'URL']

/** @param now milliseconds since 1970 */
export function listedShare(share: ShareDetails, address: (hash: string) => string, now: number): ListedShare {
  const remaining = share.expire === 0 ? null : Math.max(0, share.expire - Math.floor(now / 1000))
  return { ...share, url: address(share.hash), remaining }
}

/** Links as a table, as JSON, or as their hashes. */
export function shareList(shares: readonly ListedShare[], color: boolean): Answer {
  const rows = shares.map((share) => [
    share.hash,
    share.username,
    share.path,
    remainingOf(share),
    share.hasPassword ? 'yes' : 'no',
    String(share.openings),
    share.target,
    share.url,
  ])
  return { json: shares, ids: shares.map(({ hash }) => hash), text: () => drawTable(HEADINGS, rows, color) }
}

/** All that is known of one link. */
export function oneShare(share: ListedShare, color: boolean): Answer {
  const rows = [
    ['hash', share.hash],
    ['url', share.url],
    ['path', share.path],
    ['user', share.username],
    ['expires', timeOf(share.expire, 'never')],
    ['remaining', remainingOf(share)],
    ['password', share.hasPassword ? 'yes' : 'no'],
    ['created', timeOf(share.created, 'not known')],
    ['openings', String(share.openings)],
    ['last opened', timeOf(share.lastOpened, 'never')],
    ['target', share.target],
  ]
  return { json: share, ids: [share.hash], text: () => drawTable(['FIELD', 'VALUE'], rows, color) }
}

/** The two largest units: "6d 23h". */
function remainingOf({ remaining }: ListedShare): string {
  if (remaining === null) return 'permanent'
  const parts = [
    [Math.floor(remaining / 86_400), 'd'],
    [Math.floor(remaining / 3600) % 24, 'h'],
    [Math.floor(remaining / 60) % 60, 'm'],
    [remaining % 60, 's'],
  ] as const
  const first = parts.findIndex(([amount]) => amount > 0)
  const shown = first < 0 ? parts.slice(-1) : parts.slice(first, first + 2)
  return shown.map(([amount, unit]) => `${amount}${unit}`).join(' ')
}

function timeOf(seconds: number, none: string): string {
  return seconds === 0 ? none : new Date(seconds * 1000).toISOString()
}
