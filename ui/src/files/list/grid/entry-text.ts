import type { Resource } from '../../../../../src/domain/resource.ts'
import type { Translate } from '../../../i18n/use-text.tsx'
import type { Format } from '../../../lib/format.ts'
import type { FormatWhen } from '../../../lib/format-when.ts'

/** How entries are written in the language of the page, at one moment. */
export interface EntryText {
  readonly t: Translate
  /** Empty for a folder, "invalid link" for one that leads nowhere. */
  size(entry: Resource): string
  /** Relative to now, or exact for those who prefer it. */
  modified(entry: Resource): string
  exact(entry: Resource): string
}

export interface EntryTextDeps {
  readonly t: Translate
  readonly format: Format
  readonly when: FormatWhen
  readonly now: Date
  readonly exactDates: boolean
}

export function createEntryText({ t, format, when, now, exactDates }: EntryTextDeps): EntryText {
  const exact = (entry: Resource): string => {
    const date = new Date(entry.modified)
    return Number.isNaN(date.getTime()) ? '' : format.dateTime(date)
  }
  return {
    t,
    size(entry) {
      if (entry.type === 'invalid_link') return t('files.invalidLink')
      return entry.isDir ? '' : format.bytes(entry.size)
    },
    modified: (entry) => (exactDates ? exact(entry) : when(new Date(entry.modified), now)),
    exact,
  }
}
