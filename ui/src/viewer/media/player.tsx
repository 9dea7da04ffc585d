import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { MenuButton } from '../../kit/menu/menu-button.tsx'
import type { MenuEntry } from '../../kit/menu/menu.tsx'
import { type Shortcut, useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { Toolbar } from '../../kit/button/toolbar.tsx'
import { createResumePositions } from '../file/resume-positions.ts'
import { faster, positionToSave, SKIP, slower, SPEEDS, startPosition, VOLUME_STEP } from './playback.ts'
import styles from './media.module.css'

interface PlayerBarProps {
  readonly state: MediaState
  readonly children?: ReactNode
}

/** The controls that the browser's player lacks or hides: skipping and speed. */
export function PlayerBar({ state, children }: PlayerBarProps) {
  const t = useText()
  const format = useFormat()
  const speedText = (speed: number) => t('viewer.speedTimes', { speed: format.number(speed) })
  const speeds = () =>
    SPEEDS.map((speed): MenuEntry => ({
      kind: 'choice',
      label: speedText(speed),
      checked: speed === state.speed,
      run: () => state.setSpeed(speed),
    }))
  return (
    <Toolbar label={t('viewer.player')} className={styles['bar']}>
      <IconButton
        icon="undo"
        label={t('viewer.back', { seconds: SKIP })}
        aria-keyshortcuts="ArrowLeft"
        onClick={() => state.skip(-SKIP)}
      />
      <IconButton
        className={styles['mirrored']}
        icon="undo"
        label={t('viewer.forward', { seconds: SKIP })}
        aria-keyshortcuts="ArrowRight"
        onClick={() => state.skip(SKIP)}
      />
      <MenuButton label={t('viewer.speed')} entries={speeds}>
        <span className="num">{speedText(state.speed)}</span>
      </MenuButton>
      {children}
    </Toolbar>
  )
}

export interface MediaState {
  readonly playing: boolean
  readonly speed: number
  toggle(): void
  /** Moves by seconds; negative goes back. */
  skip(seconds: number): void
  setSpeed(speed: number): void
}

/** The state of a video or song, and its controls. */
export function useMediaState(media: RefObject<HTMLMediaElement | null>): MediaState {
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState(1)
  useEffect(() => {
    const element = media.current
    if (element === null) return
    const update = (): void => {
      setPlaying(!element.paused)
      setSpeed(element.playbackRate)
    }
    const events = ['play', 'pause', 'ended', 'ratechange'] as const
    for (const name of events) element.addEventListener(name, update)
    return () => {
      for (const name of events) element.removeEventListener(name, update)
    }
  }, [media])
  return {
    playing,
    speed,
    toggle() {
      const element = media.current
      if (element === null) return
      if (element.paused) startPlaying(element)
      else element.pause()
    },
    skip(seconds) {
      const element = media.current
      if (element === null || Number.isNaN(element.duration)) return
      element.currentTime = Math.min(element.duration, Math.max(0, element.currentTime + seconds))
    },
    setSpeed(next) {
      if (media.current) media.current.playbackRate = next
    },
  }
}

/** Browsers block sound until the user interacts with the page; the play button stays then. */
export function startPlaying(element: HTMLMediaElement): void {
  element.play().catch((error: unknown) => {
    if (!(error instanceof DOMException)) throw error
  })
}

/** In a video or song the arrows seek; Shift and an arrow show another file. */
export function useMediaKeys(
  media: RefObject<HTMLMediaElement | null>,
  state: MediaState,
  onStep: (step: -1 | 1) => void,
): void {
  const t = useText()
  const volume = (by: number) => () => {
    if (media.current) media.current.volume = Math.min(1, Math.max(0, media.current.volume + by))
  }
  const shortcuts: Shortcut[] = [
    { keys: '←', label: t('viewer.back', { seconds: SKIP }), group: 'act', run: () => state.skip(-SKIP) },
    { keys: '→', label: t('viewer.forward', { seconds: SKIP }), group: 'act', run: () => state.skip(SKIP) },
    { keys: '↑', label: t('viewer.volumeUp'), group: 'act', run: volume(VOLUME_STEP) },
    { keys: '↓', label: t('viewer.volumeDown'), group: 'act', run: volume(-VOLUME_STEP) },
    { keys: 'K', label: t('viewer.playOrPause'), group: 'act', run: state.toggle },
    { keys: 'Space', label: t('viewer.playOrPause'), group: 'act', run: state.toggle },
    { keys: '<', label: t('viewer.slower'), group: 'act', run: () => state.setSpeed(slower(state.speed)) },
    { keys: '>', label: t('viewer.faster'), group: 'act', run: () => state.setSpeed(faster(state.speed)) },
    { keys: 'Shift+←', label: t('viewer.previous'), group: 'move', run: () => onStep(-1) },
    { keys: 'Shift+→', label: t('viewer.next'), group: 'move', run: () => onStep(1) },
  ]
  useShortcuts(shortcuts)
}

const SAVE_INTERVAL = 5000

/** Resumes a video or song where it was left in this browser, and saves the position while it plays. */
export function useResume(media: RefObject<HTMLMediaElement | null>, file: string): void {
  const [positions] = useState(() => createResumePositions(localStorage))
  useEffect(() => {
    const element = media.current
    if (element === null) return
    const resume = (): void => {
      const start = startPosition(positions.get(file), element.duration)
      // A song that goes on from the viewer is where it is.
      if (start > 0 && element.currentTime === 0) element.currentTime = start
    }
    const save = (): void => {
      const position = positionToSave(element.currentTime, element.duration)
      if (position === null) positions.delete(file)
      else positions.set(file, String(position))
    }
    const timer = setInterval(() => element.paused || save(), SAVE_INTERVAL)
    // The metadata may be loaded before this effect runs.
    if (element.readyState >= HTMLMediaElement.HAVE_METADATA) resume()
    else element.addEventListener('loadedmetadata', resume, { once: true })
    element.addEventListener('pause', save)
    addEventListener('pagehide', save)
    return () => {
      clearInterval(timer)
      element.removeEventListener('loadedmetadata', resume)
      element.removeEventListener('pause', save)
      removeEventListener('pagehide', save)
      if (element.readyState >= HTMLMediaElement.HAVE_METADATA) save()
    }
  }, [media, file, positions])
}
