import { type MessageId, useText } from '../../i18n/use-text.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { Chip, Segmented } from '../../kit/button/toggles.tsx'
import {
  SEARCH_SIZES,
  SEARCH_TIMES,
  SEARCH_TYPES,
  type SearchRequest,
  type SearchSize,
  type SearchTime,
  type SearchType,
} from './search-request.ts'
import type { ChangeRequest } from './use-search-address.ts'
import type { IconName } from '../../kit/icon/icon.tsx'
import { useMenus } from '../../kit/menu/menu.tsx'
import { useStore } from '../../lib/create-store.ts'
import styles from './search.module.css'

interface SearchControlsProps {
  readonly request: SearchRequest
  /** The open folder is the root, so it contains everything. */
  readonly atRoot: boolean
  readonly running: boolean
  readonly onChange: (change: ChangeRequest) => void
  readonly onStop: () => void
  readonly onClose: () => void
}

/** Where to search, and a button to stop; shown after the field. */
export function SearchControls({ request, atRoot, running, onChange, onStop, onClose }: SearchControlsProps) {
  const t = useText()
  return (
    <>
      {!atRoot && (
        <span className="only-wide">
          <Segmented
            label={t('search.where')}
            options={[
              { value: 'here', label: t('search.here') },
              { value: 'all', label: t('search.everywhere') },
            ]}
            value={request.everywhere ? 'all' : 'here'}
            onChange={(where) => onChange((now) => ({ ...now, everywhere: where === 'all' }))}
          />
        </span>
      )}
      <span className={styles['stop']}>
        {running ? (
          <Button variant="ghost" size="small" icon="x" onClick={onStop}>
            {t('search.stop')}
          </Button>
        ) : (
          <IconButton icon="x" label={t('kit.close')} onClick={onClose} />
        )}
      </span>
    </>
  )
}

const TYPE_LABELS: Readonly<Record<SearchType, readonly [IconName, MessageId]>> = {
  image: ['gallery', 'search.images'],
  video: ['play', 'search.video'],
  audio: ['jobs', 'search.audio'],
  pdf: ['file', 'search.pdf'],
}

const TIMES: Readonly<Record<SearchTime, MessageId>> = {
  day: 'search.day',
  week: 'search.week',
  month: 'search.month',
  year: 'search.year',
}

const SIZES: Readonly<Record<SearchSize, MessageId>> = {
  small: 'search.small',
  medium: 'search.medium',
  large: 'search.large',
}

interface TypeChipsProps {
  readonly request: SearchRequest
  /** The open folder is the root, so it contains everything. */
  readonly atRoot: boolean
  readonly onChange: (change: ChangeRequest) => void
}

/** Filters by type, time and size. Nothing chosen means everything. */
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
        <Chip
          icon="globe"
          className="only-narrow"
          pressed={everywhere}
          onClick={() => onChange((now) => ({ ...now, everywhere: !now.everywhere }))}
        >
          {t('search.everywhere')}
        </Chip>
      )}
      {SEARCH_TYPES.map((type) => {
        const [icon, label] = TYPE_LABELS[type]
        return (
          <Chip key={type} icon={icon} pressed={types.includes(type)} onClick={() => toggle(type)}>
            {t(label)}
          </Chip>
        )
      })}
      <ChoiceChip
        icon="calendar"
        any={t('search.anyTime')}
        options={SEARCH_TIMES.map((time) => [time, t(TIMES[time])])}
        value={request.time}
        onChange={(time) => onChange((now) => ({ ...now, time }))}
      />
      <ChoiceChip
        icon="drive"
        any={t('search.anySize')}
        options={SEARCH_SIZES.map((size) => [size, t(SIZES[size])])}
        value={request.size}
        onChange={(size) => onChange((now) => ({ ...now, size }))}
      />
    </div>
  )
}

interface ChoiceChipProps<Value extends string> {
  readonly icon: IconName
  /** The label while nothing is chosen. */
  readonly any: string
  readonly options: readonly (readonly [Value, string])[]
  readonly value: Value | undefined
  readonly onChange: (value: Value | undefined) => void
}

/** A chip that shows a choice and opens a menu to change it. */
function ChoiceChip<Value extends string>({ icon, any, options, value, onChange }: ChoiceChipProps<Value>) {
  const menus = useMenus()
  const open = useStore(menus.current, (menu) => menu?.label === any)
  const all: readonly (readonly [Value | undefined, string])[] = [[undefined, any], ...options]
  const show = (element: HTMLElement) =>
    menus.open({
      label: any,
      anchor: { element, align: 'start' },
      entries: all.map(([choice, label]) => ({
        kind: 'choice',
        label,
        checked: choice === value,
        run: () => onChange(choice),
      })),
    })
  return (
    <Chip
      icon={icon}
      highlighted={value !== undefined}
      aria-haspopup="menu"
      aria-expanded={open}
      onClick={(event) => show(event.currentTarget)}
    >
      {all.find(([choice]) => choice === value)?.[1]}
    </Chip>
  )
}
