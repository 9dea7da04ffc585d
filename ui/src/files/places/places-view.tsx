import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'
import type { PlaceView } from '../../../../src/domain/accounts/place.ts'
import { childOf, ROOT, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../api/client.ts'
import { useSavedFolders } from '../../api/own-account.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useText, useTextPart } from '../../i18n/use-text.tsx'
import { AppLink, Button } from '../../kit/button/button.tsx'
import { Banner } from '../../kit/feedback/banner.tsx'
import { Badge } from '../../kit/feedback/note.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { type MenuAnchor, type MenuEntry, useMenus } from '../../kit/menu/menu.tsx'
import { MenuButton } from '../../kit/menu/menu-button.tsx'
import { FileName } from '../../kit/text/names.tsx'
import { classNames } from '../../lib/class-names.ts'
import { filesHref } from '../../lib/navigation/app-path.ts'
import { useNavigateTo } from '../../lib/navigation/navigation.tsx'
import { type GroupedAction, groupedEntries } from '../actions/menus/action-groups.ts'
import { isOffered } from '../actions/menus/selection-actions.ts'
import { useSelectionActions } from '../actions/menus/use-selection-actions.ts'
import type { Target } from '../actions/model.ts'
import { useFavourites } from '../list/commands/folder-menus.ts'
import { useTargetKeys } from '../list/commands/use-targets.ts'
import { DropOverlay } from '../list/drag/drop-overlay.tsx'
import { useDropZone } from '../list/drag/drop-zone.ts'
import folder from '../list/folder-view.module.css'
import { ListingSkeleton } from '../list/listing-skeleton.tsx'
import { isListing, listingQuery } from '../queries/listing-query.ts'
import { placesQuery } from '../queries/places-query.ts'
import { usePermissionWords } from './permission-words.ts'
import { placeIcon } from './place-icon.ts'
import styles from './places.module.css'

interface PlacesViewProps {
  /** The name of the place that the page comes back from. */
  readonly cameFrom: string | null
}

/** "/" of a user who has several places: lists them, and takes nothing itself. */
export function PlacesView({ cameFrom }: PlacesViewProps) {
  useTextPart('actions', 'tools', 'shares', 'users')
  const scroll = useRef<HTMLDivElement>(null)
  const drop = useDropZone({ folder: ROOT, scroll })
  const { data, isFetching, refetch } = useQuery({
    ...placesQuery(useClient()),
    throwOnError: (_error, { state }) => state.data === undefined,
  })
  const away = data?.filter(({ state }) => state === 'away') ?? []
  const lookAgain = (): void => void refetch()
  return (
    <div className={folder['view']}>
      {away.length > 0 && <AwayBanner away={away} looking={isFetching} onLookAgain={lookAgain} />}
      <div ref={scroll} className={folder['scroll']}>
        {data === undefined ? (
          <ListingSkeleton />
        ) : (
          <PlaceGrid places={data} start={cameFrom} onLookAgain={lookAgain} />
        )}
      </div>
      {drop !== null && <DropOverlay {...drop} />}
    </div>
  )
}

interface AwayBannerProps {
  readonly away: readonly PlaceView[]
  readonly looking: boolean
  readonly onLookAgain: () => void
}

function AwayBanner({ away, looking, onLookAgain }: AwayBannerProps) {
  const t = useText()
  return (
    <Banner
      icon="offline"
      action={
        <Button variant="ghost" size="small" progress={looking ? 'busy' : 'idle'} onClick={onLookAgain}>
          {t('errors.lookAgain')}
        </Button>
      }
    >
      <b>{away.map(({ name }) => t('errors.away', { name })).join(' · ')}</b> · {t('errors.awayText')}
    </Banner>
  )
}

interface PlaceGridProps {
  readonly places: readonly PlaceView[]
  readonly start: string | null
  readonly onLookAgain: () => void
}

function PlaceGrid({ places, start, onLookAgain }: PlaceGridProps) {
  const t = useText()
  const [focus, setFocus] = useState(start)
  const tabStop = places.find(({ name }) => name === focus) ?? places[0]
  const targetOf = usePlaceTarget()
  useTargetKeys(targetOf(tabStop))
  const keyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=row][tabindex]')]
    const at = rows.findIndex((row) => row === document.activeElement)
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: rows.length - 1,
    }
    const next = at === -1 ? undefined : steps[event.key]
    if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    rows[next]?.focus()
  }
  return (
    <div className={styles['list']} role="grid" aria-label={t('places.title')} onKeyDown={keyDown}>
      <div role="rowgroup">
        <div role="row" className={styles['head']}>
          <div role="columnheader">{t('files.name')}</div>
          <div role="columnheader" className={styles['size']}>
            {t('places.freeSpace')}
          </div>
          <div role="columnheader">{t('shares.youMay')}</div>
          <div role="columnheader">
            <span className="visually-hidden">{t('files.actions')}</span>
          </div>
        </div>
      </div>
      <div role="rowgroup">
        {places.map((place) => (
          <PlaceRow
            key={place.path}
            place={place}
            isTabStop={place === tabStop}
            onFocus={() => setFocus(place.name)}
            onLookAgain={onLookAgain}
          />
        ))}
      </div>
    </div>
  )
}

interface PlaceRowProps {
  readonly place: PlaceView
  readonly isTabStop: boolean
  readonly onFocus: () => void
  readonly onLookAgain: () => void
}

function PlaceRow({ place, isTabStop, onFocus, onLookAgain }: PlaceRowProps) {
  const t = useText()
  const format = useFormat()
  const menus = useMenus()
  const navigateTo = useNavigateTo()
  const wordsOf = usePermissionWords()
  const entriesOf = usePlaceMenu(onLookAgain)
  const { name, path, kind, free } = place
  const isAway = place.state === 'away'
  const href = filesHref(`${path}/`)
  const label = t('files.actionsFor', { name })
  const space = free === undefined ? (kind === 'bucket' ? t('places.noLimit') : undefined) : format.bytes(free)
  const brief = [free === undefined ? space : t('places.free', { size: format.bytes(free) }), wordsOf(place)]
  const showMenu = (anchor: MenuAnchor): void => menus.open({ label, anchor, entries: entriesOf(place) })
  const keyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.target !== event.currentTarget) return
    if (event.key === 'Enter') navigateTo(href)
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey))
      showMenu({ element: event.currentTarget, align: 'start' })
    else return
    event.preventDefault()
  }
  const contextMenu = (event: MouseEvent<HTMLElement>): void => {
    event.preventDefault()
    // The layout has a menu for folders of its own.
    event.stopPropagation()
    showMenu({ x: event.clientX, y: event.clientY, returnTo: event.currentTarget })
  }
  const click = ({ target }: MouseEvent<HTMLElement>): void => {
    if (target instanceof Element && target.closest('a, button') === null) navigateTo(href)
  }
  return (
    <div
      role="row"
      className={classNames(styles['row'], isAway && styles['away'])}
      tabIndex={isTabStop ? 0 : -1}
      data-folder={isAway ? undefined : path}
      onFocus={onFocus}
      onKeyDown={keyDown}
      onContextMenu={contextMenu}
      onClick={click}
    >
      <div role="rowheader" className={styles['name']}>
        <Icon name={placeIcon(place)} size={24} />
        <div className={styles['what']}>
          <span className={styles['title']}>
            <AppLink to={href} tabIndex={-1} title={name}>
              <FileName name={name} />
            </AppLink>
            {isAway && (
              <Badge tone="danger" icon="offline">
                {t('places.away')}
              </Badge>
            )}
            {!isAway && place.readOnly && <Badge icon="lock">{t('places.readOnly')}</Badge>}
          </span>
          {!isAway && <span className={classNames('clip', styles['brief'])}>{brief.filter(Boolean).join(' · ')}</span>}
        </div>
      </div>
      <div role="gridcell" className={styles['size']}>
        {isAway ? '—' : (space ?? '—')}
      </div>
      <div role="gridcell" className={classNames('clip', styles['may'])} title={isAway ? undefined : wordsOf(place)}>
        {isAway ? '—' : wordsOf(place)}
      </div>
      <div role="gridcell" className={styles['more']}>
        <MenuButton label={label} size="small" tabIndex={-1} entries={() => entriesOf(place)} />
      </div>
    </div>
  )
}

/** Keys and menus are for a place that is there, as for an entry of a folder. */
function usePlaceTarget(): (place: PlaceView | undefined) => Target {
  // The page fetches it.
  const { data } = useQuery({ ...listingQuery(useClient(), ROOT), enabled: false })
  const entries = data !== undefined && isListing(data) ? data.items : []
  return (place) => {
    const items = entries
      .filter(({ name }) => place?.state === 'here' && name === place.name)
      .map((entry) => ({ ...entry, path: childOf(ROOT, entry.name) }))
    return { folder: ROOT, count: items.length, items: () => items, all: false }
  }
}

function usePlaceMenu(onLookAgain: () => void): (place: PlaceView) => MenuEntry[] {
  const t = useText()
  const navigateTo = useNavigateTo()
  const actionsOf = useSelectionActions()
  const targetOf = usePlaceTarget()
  const favouriteOf = useFavourites(useSavedFolders())
  return (place) => {
    const { name, path, state } = place
    const heading: MenuEntry = { kind: 'heading', label: name }
    const favourite = { id: 'favourite', ...favouriteOf(path as VirtualPath) }
    if (state === 'away') return [heading, { label: t('errors.lookAgain'), icon: 'retry', run: onLookAgain }, favourite]
    const actions = actionsOf(targetOf(place)).filter(isOffered)
    const open: GroupedAction = {
      id: 'open',
      label: t('files.open'),
      icon: 'folder',
      run: () => navigateTo(filesHref(`${path}/`)),
    }
    return [heading, ...groupedEntries([open, ...actions.map(({ keys: _, ...action }) => action), favourite])]
  }
}
