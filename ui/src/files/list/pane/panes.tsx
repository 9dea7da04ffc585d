import { type ComponentType, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { encodePath } from '../../../../../src/domain/files/name-text.ts'
import { tryParseVirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { folderName } from '../../../common/where.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { IconButton } from '../../../kit/button/button.tsx'
import { type Shortcut, ShortcutScope, useShortcuts, useShortcutScope } from '../../../kit/keyboard/shortcuts.tsx'
import { LazyBoundary } from '../../../kit/lazy-component.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { createStore } from '../../../lib/create-store.ts'
import { filesHref, filesPathOf } from '../../../lib/navigation/app-path.ts'
import {
  type AppLocation,
  appHref,
  LocationProvider,
  useLocation,
  useNavigation,
  withoutBase,
} from '../../../lib/navigation/navigation.tsx'
import { tabStopIn } from '../grid/use-grid-handlers.ts'
import styles from './panes.module.css'
import { type OtherPane, otherPaneIn, PaneProvider, type Side } from './two-panes.ts'

export interface PanesProps {
  /** The folder of the other pane, if there are two. */
  readonly other: string | undefined
  /** Of the other pane. */
  readonly side: Side
  /** The way to the folder of a pane. */
  readonly Crumbs: ComponentType<{ readonly label: string }>
  /** There will be one pane, without the one at this side. */
  readonly onClose: (side: Side) => void
  readonly onFail: () => void
  /** The folder at the place that it is in. */
  readonly children: ReactNode
}

interface PathsNow extends Readonly<Record<Side, string>> {
  readonly inactive: Side
}

const OPPOSITE = { start: 'end', end: 'start' } as const

/** The address of a folder with another beside it. */
export function panesHref(path: string, { side, path: beside }: OtherPane): string {
  return `${filesHref(path)}?${side}=${encodePath(beside)}`
}

/** Shows the open folder once more at this side, or it alone. The folder itself stays as it is. */
export function toggle({ base, history }: ReturnType<typeof useNavigation>, side: Side): void {
  const { pathname, search, state } = withoutBase(base, history.location)
  const path = filesPathOf(pathname) ?? '/'
  const href = otherPaneIn(search) === undefined ? panesHref(path, { side, path }) : filesHref(path)
  history.push(appHref(base, href), { key: state.key })
}

/**
 * Two folders side by side, or one. The address is that of the active one, so that everything outside of the panes, such as the
 * sidebar, search and upload, belongs to it; the other one finds its own folder in its place. Panes stay where they are when
 * the other one gets active.
 */
export function Panes({ other, side, Crumbs, onClose, onFail, children }: PanesProps) {
  const t = useText()
  const { base, history } = useNavigation()
  const location = useLocation()
  const box = useRef<HTMLDivElement>(null)
  const active = OPPOSITE[side]
  const path = filesPathOf(location.pathname) ?? '/'
  const visits = useVisits(active, location.state.key, other === undefined)
  // What is drawn may be older than the address.
  const pathsNow = (): PathsNow | undefined => {
    const { pathname, search } = withoutBase(base, history.location)
    const beside = otherPaneIn(search)
    const own = filesPathOf(pathname) ?? '/'
    if (beside === undefined) return undefined
    return { start: own, end: own, [beside.side]: beside.path, inactive: beside.side }
  }
  const isSplit = other !== undefined
  useEffect(() => {
    if (!isSplit) return
    // Another folder opens in the active pane; the other one stays.
    history.beside = (to) => {
      const path = to.endsWith('/') ? filesPathOf(to) : undefined
      const beside = otherPaneIn(history.location.search)
      return path === undefined || beside === undefined ? to : panesHref(path, beside)
    }
    return () => {
      delete history.beside
    }
  }, [history, isSplit])
  const activate = (on: Side): void => {
    const now = pathsNow()
    if (now?.inactive !== on) return
    const left = OPPOSITE[on]
    history.replace(appHref(base, panesHref(now[on], { side: left, path: now[left] })), { key: visits[on] })
  }
  const close = (at: Side, how: 'push' | 'replace'): void => {
    const kept = OPPOSITE[at]
    const now = pathsNow()
    if (now === undefined) return
    onClose(at)
    history[how](appHref(base, filesHref(now[kept])), { key: visits[kept] })
  }
  const beside = useMemo<AppLocation>(() => {
    const pathname = filesHref(other ?? '/')
    return { ...location, pathname, search: '', hash: '', href: pathname, state: { key: visits[side], index: 0 } }
  }, [location, other, side, visits])
  const goOver = (): void => {
    const pane = box.current?.querySelector(`[data-pane=${side}]`)
    activate(side)
    const next = tabStopIn(pane ?? null) ?? pane?.querySelector<HTMLElement>('a, button')
    next?.focus({ preventScroll: true })
  }
  useShortcuts(
    other === undefined ? [] : [{ keys: 'F6', label: t('actions.goOver'), group: 'move', run: goOver, inFields: true }],
  )
  // What this replaces has remembered its place by then.
  const [drawn, setDrawn] = useState(false)
  useLayoutEffect(() => setDrawn(true), [])
  if (!drawn) return null
  return (
    <div ref={box} className={classNames(styles['panes'], other !== undefined && styles['two'])}>
      {(['start', 'end'] as const).map((each) => {
        const isActive = each === active
        if (!isActive && other === undefined) return null
        return (
          <Pane
            key={each}
            side={each}
            path={isActive ? path : (other ?? '/')}
            beside={isActive ? other : path}
            isActive={isActive}
            location={isActive ? location : beside}
            Crumbs={Crumbs}
            onActivate={() => activate(each)}
            onClose={() => close(each, 'push')}
          >
            <LazyBoundary onError={isActive ? onFail : () => close(each, 'replace')}>{children}</LazyBoundary>
          </Pane>
        )
      })}
    </div>
  )
}

/** The visit of each pane in the history of the browser; that of the other one stays while the active one moves on. */
function useVisits(active: Side, key: string, alone: boolean): Readonly<Record<Side, string>> {
  const fresh = { start: `${key}:start`, end: `${key}:end`, [active]: key }
  const [visits, setVisits] = useState(fresh)
  const next = alone ? fresh : { ...visits, [active]: key }
  if (next.start !== visits.start || next.end !== visits.end) setVisits(next)
  return visits
}

interface PaneProps {
  readonly side: Side
  readonly path: string
  /** The path of the other pane. */
  readonly beside: string | undefined
  readonly isActive: boolean
  readonly location: AppLocation
  readonly Crumbs: PanesProps['Crumbs']
  readonly onActivate: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

function Pane(props: PaneProps) {
  const { side, path, beside, isActive, location, Crumbs, onActivate, onClose, children } = props
  const t = useText()
  const number = useFormat().number(side === 'start' ? 1 : 2)
  const scope = useShortcutScope()
  // Keys are for the active pane.
  const [silent] = useState(() => createStore<readonly Shortcut[]>([]))
  const pane = {
    isActive,
    other: beside === undefined ? undefined : tryParseVirtualPath(beside),
    activate: onActivate,
    takes(target: EventTarget | null): boolean {
      const within = target instanceof Element ? target.closest<HTMLElement>('[data-pane]') : null
      return within === null ? isActive : within.dataset['pane'] === side
    },
  }
  const isOne = beside === undefined
  const ofTwo = {
    'aria-label': t('actions.pane', { number, name: folderName(t, path) }),
    'aria-current': isActive || undefined,
    'data-pane': side,
    onPointerDownCapture: onActivate,
    onFocusCapture: onActivate,
    // Screen readers click without a pointer.
    onClickCapture: onActivate,
  }
  return (
    <section className={styles['pane']} {...(isOne ? {} : ofTwo)}>
      <LocationProvider value={location}>
        <PaneProvider value={pane}>
          <ShortcutScope value={isActive ? scope : silent}>
            {!isOne && (
              <div className={styles['head']}>
                <Crumbs label={`${t('shell.breadcrumb')} ${number}`} />
                <IconButton icon="x" size="small" label={t('actions.closePane')} onClick={onClose} />
              </div>
            )}
            {children}
          </ShortcutScope>
        </PaneProvider>
      </LocationProvider>
    </section>
  )
}
