import { type MouseEvent, useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import type { Resource } from '../../../src/domain/files/resource.ts'
import { parentOf, type VirtualPath } from '../../../src/domain/files/virtual-path.ts'
import { useText } from '../i18n/use-text.tsx'
import { useAnnounce } from '../kit/feedback/announcer.tsx'
import { classNames } from '../lib/class-names.ts'
import { DetailsPanel } from './details/details-panel.tsx'
import { Filmstrip } from './image/filmstrip.tsx'
import { neighboursOf } from './file/neighbours.ts'
import { viewKindOf } from './file/view-kind.ts'
import { ShownFile } from './shown-file.tsx'
import { StepButton, ViewerBar } from './controls/viewer-bar.tsx'
import type { ViewerAction } from './file/viewed-file.ts'
import { usePrefetch } from './image/pictures.ts'
import { useSlideshow } from './image/use-slideshow.ts'
import { useViewerKeys } from './controls/use-viewer-keys.ts'
import styles from './viewer.module.css'

interface ViewerProps {
  readonly file: Resource
  readonly path: VirtualPath
  /** All entries of the folder, in the order of its list; only the file itself until the folder is loaded. */
  readonly entries: readonly Resource[]
  readonly actions: readonly ViewerAction[]
  /** Shows another file of the folder. */
  readonly onShow: (entry: Resource) => void
  readonly onClose: () => void
  /** Opens the file in the editor; undefined where it cannot be edited. */
  readonly onEdit?: (() => void) | undefined
  /** Follows a link of a document to another page of the app. */
  readonly onFollow: (address: string) => void
}

/** Shows one file on the whole screen and leads to the others of its folder. */
export function Viewer(props: ViewerProps) {
  const { file, path, entries, actions, onShow, onClose, onEdit, onFollow } = props
  const t = useText()
  const viewer = useRef<HTMLElement>(null)
  const [details, setDetails] = useState(false)
  const kind = viewKindOf(file)
  const { previous, next, position, total } = neighboursOf(entries, file.name)
  const hidesBars = kind === 'image' || kind === 'video'
  const isMedia = hidesBars || kind === 'audio'
  const barsVisible = useAutoHide(viewer, hidesBars && !details)
  const [playNext, setPlayNext] = useState(false)
  const autoplay = useMemo(() => ({ on: playNext, set: setPlayNext }), [playNext])
  const slideshow = useSlideshow(file, entries, onShow)
  const [damaged, setDamaged] = useState<string | null>(null)
  const onDamaged = useCallback(() => setDamaged(path), [path])
  usePrefetch(parentOf(path), [previous, next])
  useAnnouncement(file.name, position, total)
  useFocusOnOpen(viewer)
  const toggleDetails = (): void => setDetails((shown) => !shown)
  const closeDetails = (): void => {
    setDetails(false)
    viewer.current?.focus()
  }
  const arrows = kind !== 'video' && kind !== 'audio' && kind !== 'epub'
  useViewerKeys({ arrows, previous, next, actions, onShow, onClose, onDetails: toggleDetails })
  return (
    <section
      ref={viewer}
      className={classNames(styles['viewer'], isMedia && styles['dark'], !barsVisible && styles['barsHidden'])}
      aria-label={t('viewer.viewer')}
      data-viewer=""
      tabIndex={-1}
      onClick={returnFocus}
    >
      <ViewerBar
        file={file}
        position={position}
        total={total}
        actions={actions}
        details={details}
        onDetails={toggleDetails}
        onEdit={onEdit}
        onClose={onClose}
      >
        {kind !== 'image' && total > 1 && (
          <>
            <StepButton step={-1} entry={previous} onShow={onShow} keepSpace />
            <StepButton step={1} entry={next} onShow={onShow} keepSpace />
          </>
        )}
      </ViewerBar>
      <div className={styles['stage']}>
        <ShownFile
          key={path}
          file={file}
          path={path}
          entries={entries}
          kind={damaged === path ? 'none' : kind}
          damaged={damaged === path}
          slideshow={slideshow}
          autoplay={autoplay}
          actions={actions}
          onShow={onShow}
          onStep={(step) => {
            const entry = step < 0 ? previous : next
            if (entry !== null) onShow(entry)
          }}
          onDamaged={onDamaged}
          onEdit={onEdit}
          onFollow={onFollow}
        />
        {kind === 'image' && (
          <>
            <StepButton
              step={-1}
              entry={previous}
              onShow={onShow}
              className={classNames(styles['side'], styles['previous'])}
            />
            <StepButton step={1} entry={next} onShow={onShow} className={classNames(styles['side'], styles['next'])} />
          </>
        )}
      </div>
      {kind === 'image' && <Filmstrip file={file} folder={parentOf(path)} entries={entries} onShow={onShow} />}
      {details && <DetailsPanel isShown={damaged !== path} file={file} path={path} onClose={closeDetails} />}
    </section>
  )
}

/** After a click on a button, keys go to the file again and not to the button's toolbar. */
function returnFocus(event: MouseEvent<HTMLElement>): void {
  const button = event.target instanceof Element && event.target.closest('[role="toolbar"] button, button[data-chrome]')
  // A button pressed by the keyboard keeps the focus.
  if (button && event.detail > 0 && !button.hasAttribute('aria-haspopup')) event.currentTarget.focus()
}

/** Announces the file to screen readers, which get nothing from a picture. */
function useAnnouncement(name: string, position: number, total: number): void {
  const t = useText()
  const announce = useAnnounce()
  const text = position === 0 ? name : t('viewer.shown', { name, position, total })
  useEffect(() => announce(text), [announce, text])
}

/** Focuses the viewer when it opens: keys work at once, and Tab leads to its first button. */
function useFocusOnOpen(viewer: { readonly current: HTMLElement | null }): void {
  useEffect(() => viewer.current?.focus(), [viewer])
}

const HIDE_AFTER = 1500

const BARS = ':is([data-chrome], [role="toolbar"])'
const IN_USE = `${BARS}:is(:hover, :focus-visible), ${BARS} :focus-visible, [aria-expanded="true"]`

/**
 * Whether the viewer's bars are visible: toolbars and elements with `data-chrome`. They hide after a while without
 * pointer or key events, unless the pointer is over one of them or the keyboard focus is in it.
 *
 * @param enabled false keeps them visible
 */
function useAutoHide(viewer: RefObject<HTMLElement | null>, enabled: boolean): boolean {
  const [visible, setVisible] = useState(true)
  useEffect(() => {
    setVisible(true)
    const element = viewer.current
    if (!enabled || element === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const hide = (): void => {
      if (element.querySelector(IN_USE) === null) setVisible(false)
      else timer = setTimeout(hide, HIDE_AFTER)
    }
    const show = (): void => {
      clearTimeout(timer)
      setVisible(true)
      timer = setTimeout(hide, HIDE_AFTER)
    }
    show()
    const events = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const
    for (const name of events) element.addEventListener(name, show)
    document.addEventListener('keydown', show)
    return () => {
      clearTimeout(timer)
      for (const name of events) element.removeEventListener(name, show)
      document.removeEventListener('keydown', show)
    }
  }, [viewer, enabled])
  return visible
}
