import { type MouseEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { Resource } from '../../../src/domain/resource.ts'
import { parentOf, type VirtualPath } from '../../../src/domain/virtual-path.ts'
import { useText } from '../i18n/use-text.tsx'
import { useAnnounce } from '../kit/feedback/announcer.tsx'
import { classNames } from '../lib/class-names.ts'
import { DetailsPanel } from './details/details-panel.tsx'
import { Film } from './film.tsx'
import { neighboursOf } from './model/neighbours.ts'
import { viewKindOf } from './model/view-kind.ts'
import { ShownFile } from './shown-file.tsx'
import { StepButton } from './step-button.tsx'
import { usePlaying } from './use-playing.ts'
import { usePrefetch } from './use-prefetch.ts'
import { useQuietChrome } from './use-quiet-chrome.ts'
import { useSlideshow } from './use-slideshow.ts'
import { useViewerKeys } from './use-viewer-keys.ts'
import { ViewerBar } from './viewer-bar.tsx'
import type { ViewerAction } from './viewer-action.ts'
import styles from './viewer.module.css'

interface ViewerProps {
  readonly file: Resource
  readonly path: VirtualPath
  /** All of the folder, in the order of the folder; only the file itself while the folder is not known. */
  readonly entries: readonly Resource[]
  readonly actions: readonly ViewerAction[]
  /** Shows another file of the folder in place of this one. */
  readonly onShow: (entry: Resource) => void
  readonly onClose: () => void
  /** Opens the text of the file for changes; without it nobody may, or nothing can. */
  readonly onEdit?: (() => void) | undefined
  /** A place of the app that a document leads to. */
  readonly onFollow: (address: string) => void
}

/** One file on the whole screen, and the way to the others of its folder. */
export function Viewer(props: ViewerProps) {
  const { file, path, entries, actions, onShow, onClose, onEdit, onFollow } = props
  const t = useText()
  const place = useRef<HTMLElement>(null)
  const [details, setDetails] = useState(false)
  const kind = viewKindOf(file)
  const { previous, next, position, total } = neighboursOf(entries, file.name)
  const quiet = kind === 'image' || kind === 'video'
  const chrome = useQuietChrome(place, quiet && !details)
  const playing = usePlaying()
  const slideshow = useSlideshow(file, entries, onShow)
  const [damaged, setDamaged] = useState<string | null>(null)
  const onDamaged = useCallback(() => setDamaged(path), [path])
  usePrefetch(parentOf(path), [previous, next])
  useAnnouncement(file.name, position, total)
  useFocusOnArrival(place)
  const toggleDetails = (): void => setDetails((shown) => !shown)
  const closeDetails = (): void => {
    setDetails(false)
    place.current?.focus()
  }
  const arrows = kind !== 'video' && kind !== 'audio' && kind !== 'epub'
  useViewerKeys({ arrows, previous, next, actions, onShow, onClose, onDetails: toggleDetails })
  return (
    <section
      ref={place}
      className={classNames(styles['viewer'], !chrome && styles['quiet'])}
      aria-label={t('viewer.viewer')}
      tabIndex={-1}
      onClick={giveBackFocus}
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
            <StepButton step={-1} entry={previous} onShow={onShow} stays />
            <StepButton step={1} entry={next} onShow={onShow} stays />
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
          playing={playing}
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
      {kind === 'image' && <Film file={file} folder={parentOf(path)} entries={entries} onShow={onShow} />}
      {details && <DetailsPanel file={file} path={path} onClose={closeDetails} />}
    </section>
  )
}

/** After a click on a button the keys mean the file again, and not the next button of its toolbar. */
function giveBackFocus(event: MouseEvent<HTMLElement>): void {
  const button = event.target instanceof Element && event.target.closest('[role="toolbar"] button, button[data-chrome]')
  // Without a pointer the focus stays where it was put.
  if (button && event.detail > 0 && !button.hasAttribute('aria-haspopup')) event.currentTarget.focus()
}

/** Says what is shown now: the picture itself tells a screen reader nothing. */
function useAnnouncement(name: string, position: number, total: number): void {
  const t = useText()
  const announce = useAnnounce()
  const text = position === 0 ? name : t('viewer.shown', { name, position, total })
  useEffect(() => announce(text), [announce, text])
}

/** Keys go to the viewer from its first moment, and the next Tab leads to its first button. */
function useFocusOnArrival(place: { readonly current: HTMLElement | null }): void {
  useEffect(() => place.current?.focus(), [place])
}
