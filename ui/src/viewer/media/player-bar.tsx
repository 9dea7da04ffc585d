import type { ReactNode } from 'react'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { MenuButton } from '../../kit/menu/menu-button.tsx'
import type { MenuEntry } from '../../kit/menu/menu.tsx'
import { Toolbar } from '../../kit/button/toolbar.tsx'
import { SKIP, SPEEDS } from '../model/playback.ts'
import type { MediaState } from './use-media-state.ts'
import styles from './media.module.css'

interface PlayerBarProps {
  readonly state: MediaState
  readonly children?: ReactNode
}

/** What the player of the browser lacks or hides: skipping and the speed. The rest is its own. */
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
