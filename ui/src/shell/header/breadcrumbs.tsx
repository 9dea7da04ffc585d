import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { AppLink } from '../../kit/button/button.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { MenuButton } from '../../kit/menu/menu-button.tsx'
import { PortalTarget } from '../../kit/page/portal.tsx'
import { folderName, rootIcon, rootName } from '../../common/where.ts'
import base from '../../kit/page/crumbs.module.css'
import { classNames } from '../../lib/class-names.ts'
import { filesHref } from '../../lib/navigation/app-path.ts'
import { useFilesPath, useNavigateTo, useSearchValue } from '../../lib/navigation/navigation.tsx'
import styles from './breadcrumbs.module.css'
import { LazyBoundary, lazyComponent } from '../../kit/lazy-component.tsx'
import { useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { useReportLoadFailure } from '../../common/use-report-load-failure.ts'

const CRUMBS = classNames(base['crumbs'], styles['crumbs'])

interface BreadcrumbsProps {
  /** Tells them from others on the page. */
  readonly label?: string
}

export function Breadcrumbs({ label }: BreadcrumbsProps) {
  const path = useFilesPath()
  if (path === undefined) return <PortalTarget name="title" className={CRUMBS} />
  return <Trail path={path} label={label} />
}

function Trail({ path, label }: { path: string; label: string | undefined }) {
  const t = useText()
  const view = useSearchValue('storage') === undefined ? '' : '?storage'
  const list = useRef<HTMLOListElement>(null)
  const fitting = useFitting(path, list)
  const { hidden, shown } = trailTo(path, fitting)
  const atHome = shown.length === 0
  return (
    <nav className={CRUMBS} aria-label={label ?? t('shell.breadcrumb')}>
      <ol ref={list} data-tight={fitting === 1 || undefined}>
        <li>
          <AppLink
            to={filesHref('/') + view}
            className={base['crumb']}
            aria-label={rootName(t)}
            aria-current={atHome ? 'page' : undefined}
            data-folder="/"
          >
            <Icon name={rootIcon()} size={16} />
            {atHome && <span className="clip">{rootName(t)}</span>}
          </AppLink>
        </li>
        {hidden.length > 0 && (
          <li>
            <HiddenCrumbs crumbs={hidden} />
          </li>
        )}
        {shown.map(({ path: to }, index) => (
          <li key={to}>
            {to.endsWith('/') && (
              <button
                type="button"
                className={styles['chevron']}
                aria-label={t('shell.siblings', { name: folderName(t, to) })}
                aria-haspopup="menu"
                data-siblings={to}
              />
            )}
            <AppLink
              to={filesHref(to) + view}
              className={base['crumb']}
              aria-current={index === shown.length - 1 ? 'page' : undefined}
              title={folderName(t, to)}
              data-folder={to}
            >
              <bdi className="clip">{folderName(t, to)}</bdi>
            </AppLink>
          </li>
        ))}
      </ol>
      <div className={styles['field']}>
        <PathField />
      </div>
    </nav>
  )
}

/** The number of folders that fit. At least one is shown; its name is cut when it is too long. */
function useFitting(path: string, list: RefObject<HTMLOListElement | null>): number {
  const [room, setRoom] = useState({ path, width: 0, maxShown: MAX_CRUMBS })
  const maxShown = room.path === path ? room.maxShown : MAX_CRUMBS
  useLayoutEffect(() => {
    const { scrollWidth = 0, clientWidth: width = 0 } = list.current ?? {}
    if (scrollWidth > width && maxShown > 1) setRoom({ path, width, maxShown: maxShown - 1 })
  }, [list, path, maxShown, room.width])
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.target.clientWidth ?? 0
      setRoom((before) => (before.width === width ? before : { ...before, width, maxShown: MAX_CRUMBS }))
    })
    if (list.current) observer.observe(list.current)
    return () => observer.disconnect()
  }, [list])
  return maxShown
}

function HiddenCrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  const t = useText()
  const navigateTo = useNavigateTo()
  return (
    <MenuButton
      label={t('shell.hiddenFolders', { count: crumbs.length })}
      size="small"
      className={styles['hidden']}
      align="start"
      entries={() =>
        crumbs.map(({ path }) => ({
          label: folderName(t, path),
          icon: 'folder',
          run: () => navigateTo(filesHref(path)),
        }))
      }
    />
  )
}

interface Crumb {
  name: string
  /** The path of the folder or file, "/a/b/". */
  path: string
}

/** At most this many segments are shown; the outer ones move into a menu. */
const MAX_CRUMBS = 4

interface FolderTrail {
  /** The hidden middle, outermost first. */
  hidden: readonly Crumb[]
  shown: readonly Crumb[]
}

/** The segments from the root to a path, without the root. */
export function trailTo(path: string, maxShown: number): FolderTrail {
  const names = path.split('/').filter(Boolean)
  const crumbs = names.map((name, index) => {
    const isLast = index === names.length - 1
    const upTo = names.slice(0, index + 1).join('/')
    return { name, path: isLast && !path.endsWith('/') ? `/${upTo}` : `/${upTo}/` }
  })
  const limit = crumbs.length <= MAX_CRUMBS ? crumbs.length : MAX_CRUMBS - 1
  const cut = crumbs.length - Math.min(limit, maxShown)
  return { hidden: crumbs.slice(0, cut), shown: crumbs.slice(cut) }
}

const PathInput = lazyComponent(async () => (await import('./path-input.tsx')).PathInput)

/** Ctrl+L replaces the breadcrumbs with a field for typing or pasting a path. */
function PathField() {
  const t = useText()
  const reportLoadFailure = useReportLoadFailure()
  const path = useFilesPath()
  const [editedAt, setEditedAt] = useState<string | null>(null)
  useShortcuts(
    path === undefined
      ? []
      : [{ keys: 'Ctrl+L', label: t('shell.editPath'), group: 'move', run: () => setEditedAt(path) }],
  )
  if (path === undefined || editedAt !== path) return null
  const close = () => setEditedAt(null)
  const giveUp = () => {
    close()
    reportLoadFailure()
  }
  return (
    <LazyBoundary onError={giveUp}>
      <PathInput path={path} onClose={close} />
    </LazyBoundary>
  )
}
