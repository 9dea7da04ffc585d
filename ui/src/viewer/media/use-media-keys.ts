import type { RefObject } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { useShortcuts, type Shortcut } from '../../kit/keyboard/shortcuts.tsx'
import { faster, SKIP, slower, VOLUME_STEP } from '../model/playback.ts'
import type { MediaState } from './use-media-state.ts'

/** In a film or a song the arrows move in it; Shift and an arrow lead to another file. */
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
    { keys: '↑', label: t('viewer.louder'), group: 'act', run: volume(VOLUME_STEP) },
    { keys: '↓', label: t('viewer.softer'), group: 'act', run: volume(-VOLUME_STEP) },
    { keys: 'K', label: t('viewer.playOrPause'), group: 'act', run: state.toggle },
    { keys: '<', label: t('viewer.slower'), group: 'act', run: () => state.setSpeed(slower(state.speed)) },
    { keys: '>', label: t('viewer.faster'), group: 'act', run: () => state.setSpeed(faster(state.speed)) },
    { keys: 'Shift+←', label: t('viewer.previous'), group: 'move', run: () => onStep(-1) },
    { keys: 'Shift+→', label: t('viewer.next'), group: 'move', run: () => onStep(1) },
  ]
  useShortcuts(shortcuts)
}
