import { type MessageId, useText } from '../../i18n/use-text.tsx'
import { Icon } from '../../kit/icon.tsx'
import type { IconName } from '../../kit/icon-names.ts'
import { classNames } from '../../lib/class-names.ts'
import { SEARCH_TYPES, type SearchRequest, type SearchType } from './search-request.ts'
import type { ChangeRequest } from './use-search-address.ts'
import styles from './search.module.css'

const LOOKS: Readonly<Record<SearchType, readonly [IconName, MessageId]>> = {
  image: ['gallery', 'search.images'],
  video: ['play', 'search.video'],
  audio: ['jobs', 'search.audio'],
  pdf: ['file', 'search.pdf'],
}

interface TypeChipsProps {
  readonly request: SearchRequest
  /** The open folder is everything. */
  readonly atRoot: boolean
  readonly onChange: (change: ChangeRequest) => void
}

/** What kinds of files are wanted; none chosen means all. */
export function TypeChips({ request, atRoot, onChange }: TypeChipsProps) {
  const t = useText()
  const { types, everywhere } = request
  const toggle = (type: SearchType) => {
    onChange((now) => ({
      ...now,
      types: SEARCH_TYPES.filter((known) => now.types.includes(known) !== (known === type)),
    }))
  }
  return (
    <div className={styles['chips']} role="group" aria-label={t('search.filters')}>
      {!atRoot && (
        <button
          type="button"
          className={classNames(styles['chip'], 'only-narrow')}
          aria-pressed={everywhere}
          onClick={() => onChange((now) => ({ ...now, everywhere: !now.everywhere }))}
        >
          <Icon name="globe" size={16} />
          {t('search.everywhere')}
        </button>
      )}
      {SEARCH_TYPES.map((type) => {
        const [icon, label] = LOOKS[type]
        return (
          <button
            key={type}
            type="button"
            className={styles['chip']}
            aria-pressed={types.includes(type)}
            onClick={() => toggle(type)}
          >
            <Icon name={icon} size={16} />
            {t(label)}
          </button>
        )
      })}
    </div>
  )
}
