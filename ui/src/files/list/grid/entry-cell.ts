import type { Resource } from '../../../../../src/domain/files/resource.ts'
import type { ShownSizes } from '../listing/folder-sizes.ts'
import type { SharedAccess } from '../../queries/shares-query.ts'
import { type Translate, useText, useLocale } from '../../../i18n/use-text.tsx'
import { type Format, type FormatWhen, createFormatWhen } from '../../../lib/format.ts'
import { useEffect, useMemo, useState } from 'react'
import { useUser } from '../../../api/session.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { type FileKind, kindOfName } from '../../../lib/file-kind.ts'

/** Props of rows, cards and pictures. Their values keep their identity, so that memoised cells do not render again. */
export interface EntryCellProps {
  readonly entry: Resource
  readonly index: number
  readonly href: string
  readonly selected: boolean
  /** The one entry that Tab reaches. */
  readonly tabStop: boolean
  readonly text: EntryText
  /** How the entry is shared; undefined if it is not. */
  readonly shared: SharedAccess | undefined
}

/** Props of cells that can show a picture. */
export interface PictureCellProps extends EntryCellProps {
  /** URL of the thumbnail; null if there is none. */
  readonly picture: string | null
  isScrolling(): boolean
}

/** Formats sizes and dates of entries in the language of the page, relative to one moment. */
export interface EntryText {
  readonly t: Translate
  /** Empty for a folder of unknown size, "invalid link" for a link that leads nowhere. */
  size(entry: Resource): string
  /** Sizes of folders are being counted. */
  readonly isCounting: boolean
  /** Relative to now, or exact if the user prefers that. */
  modified(entry: Resource): string
  exact(entry: Resource): string
}

interface EntryTextDeps {
  readonly t: Translate
  readonly format: Format
  readonly when: FormatWhen
  readonly now: Date
  readonly exactDates: boolean
  /** Of folders; undefined if they are not shown. */
  readonly sizes: ShownSizes | undefined
}

function createEntryText({ t, format, when, now, exactDates, sizes }: EntryTextDeps): EntryText {
  const exact = (entry: Resource): string => {
    const date = new Date(entry.modified)
    return Number.isNaN(date.getTime()) ? '' : format.dateTime(date)
  }
  return {
    t,
    size(entry) {
      if (entry.type === 'invalid_link') return t('files.invalidLink')
      const bytes = entry.isDir ? sizes?.known.get(entry.name) : entry.size
      return bytes === undefined ? '' : format.bytes(bytes)
    },
    isCounting: sizes?.isCounting ?? false,
    modified: (entry) => (exactDates ? exact(entry) : when(new Date(entry.modified), now)),
    exact,
  }
}

const MINUTE = 60_000

/**
 * Formats entries. Renewed every minute, so that "3 minutes ago" stays true.
 *
 * @param sizes of folders, if they are shown
 */
export function useEntryText(sizes?: ShownSizes): EntryText {
  const t = useText()
  const format = useFormat()
  const locale = useLocale()
  const exactDates = useUser()?.dateFormat ?? false
  const now = useMinute()
  const when = useMemo(() => createFormatWhen(locale), [locale])
  // `t` is a new function on each render, but its texts change only with the language.
  return useMemo(
    () => createEntryText({ t, format, when, now, exactDates, sizes }),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- with `t`, every key press would render all rows again
    [format, when, now, exactDates, sizes],
  )
}

function useMinute(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Icon of an entry. The server's type decides; for texts and other files the extension is more precise. */
export function kindOf(entry: Pick<Resource, 'name' | 'isDir' | 'type'>): FileKind {
  if (entry.isDir) return 'folder'
  if (entry.type === 'invalid_link') return 'broken'
  if (entry.type === 'image' || entry.type === 'video' || entry.type === 'audio' || entry.type === 'pdf')
    return entry.type
  return kindOfName(entry.name) ?? (entry.type === 'text' || entry.type === 'textImmutable' ? 'text' : 'other')
}
