import type { Resource } from '../../../../../src/domain/files/resource.ts'
import type { Sorting } from '../../../../../src/domain/files/sorting.ts'
import type { MessageId, Translate } from '../../../i18n/use-text.tsx'
import type { FileKind } from '../../../lib/file-kind.ts'
import { kindOf } from '../grid/entry-cell.ts'
import type { Group } from '../model/grid-layout.ts'
import type { Grouping } from './sort-order.ts'

/** In this order. */
const KIND_TITLES: Readonly<Record<Exclude<FileKind, 'broken'>, MessageId>> = {
  folder: 'files.folders',
  image: 'search.images',
  video: 'search.video',
  audio: 'search.audio',
  pdf: 'search.pdf',
  text: 'look.documents',
  table: 'look.tables',
  code: 'look.code',
  archive: 'look.archives',
  other: 'look.others',
}
const KINDS = Object.keys(KIND_TITLES)

export interface Grouped {
  readonly entries: Resource[]
  readonly groups: readonly Group[]
}

/**
 * Brings the entries of each group together; inside the groups their order stays.
 *
 * @param now and the language of the user decide which days belong to this week
 */
export function groupEntries(
  entries: readonly Resource[],
  grouping: Exclude<Grouping, 'none'>,
  { by, asc }: Sorting,
  now: Date,
  locale: string,
): Grouped {
  const isOldFirst = by === 'modified' && asc
  const place = grouping === 'type' ? placeByKind : placeByDate(now, locale)
  const found = new Map<string, { readonly rank: number; readonly entries: Resource[] }>()
  for (const entry of entries) {
    const [key, rank] = place(entry)
    const group = found.get(key)
    if (group === undefined) found.set(key, { rank, entries: [entry] })
    else group.entries.push(entry)
  }
  const sorted = [...found].sort(([, one], [, other]) => (isOldFirst ? other.rank - one.rank : one.rank - other.rank))
  let start = 0
  const groups = sorted.map(([key, { entries: own }]): Group => {
    const end = start + own.length
    const group = { key, start, end, folders: own.every(({ isDir }) => isDir) }
    start = end
    return group
  })
  return { entries: sorted.flatMap(([, group]) => group.entries), groups }
}

type Place = (entry: Resource) => readonly [key: string, rank: number]

const placeByKind: Place = (entry) => {
  const kind = kindOf(entry)
  const key = kind === 'broken' ? 'other' : kind
  return [key, KINDS.indexOf(key)]
}

/** The keys are a unit and how many of it ago, or a year. */
function placeByDate(now: Date, locale: string): Place {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  const sinceWeekBegan = (now.getDay() - firstDayOf(locale) + 7) % 7
  const begins = [
    ['day 0', new Date(year, month, day)],
    ['day -1', new Date(year, month, day - 1)],
    ['week 0', new Date(year, month, day - sinceWeekBegan)],
    ['month 0', new Date(year, month)],
    ['year 0', new Date(year, 0)],
  ] as const
  const ended = new Date(year + 1, 0).getTime()
  return ({ modified }) => {
    const time = Date.parse(modified) || 0
    const rank = time < ended ? begins.findIndex(([, start]) => time >= start.getTime()) : -1
    const [unit] = begins[rank] ?? []
    if (unit !== undefined) return [unit, rank]
    const itsYear = new Date(time).getFullYear()
    return [String(itsYear), year - itsYear + (itsYear < year ? begins.length : 0)]
  }
}

/** Sunday is 0. Not all browsers know it: then it is Monday. */
function firstDayOf(locale: string): number {
  const { getWeekInfo } = Intl.Locale.prototype as { getWeekInfo?: () => { readonly firstDay: number } }
  return (getWeekInfo?.call(new Intl.Locale(locale)).firstDay ?? 1) % 7
}

/** The title of a group: of a kind of file, or of days in the words of the browser. */
export function groupTitle(t: Translate, key: string, locale: string): string {
  const id = (KIND_TITLES as Readonly<Record<string, MessageId>>)[key]
  return id === undefined ? dateTitle(key, locale) : t(id)
}

/** "Today", "This week" or "2024", in the words of the browser. */
function dateTitle(key: string, locale: string): string {
  const [unit = '', count] = key.split(' ')
  if (count === undefined) return new Intl.DateTimeFormat(locale, { year: 'numeric' }).format(new Date(Number(unit), 6))
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const title = words.format(Number(count), unit as Intl.RelativeTimeFormatUnit)
  return title.charAt(0).toLocaleUpperCase(locale) + title.slice(1)
}
