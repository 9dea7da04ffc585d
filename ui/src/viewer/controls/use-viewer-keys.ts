import type { Resource } from '../../../../src/domain/files/resource.ts'
import { useText } from '../../i18n/use-text.tsx'
import { type Shortcut, useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import type { ViewerAction } from '../file/viewed-file.ts'

interface ViewerKeysOptions {
  /** Whether the arrows show other files; in videos, songs and books they seek or turn pages. */
  readonly arrows: boolean
  readonly previous: Resource | null
  readonly next: Resource | null
  readonly actions: readonly ViewerAction[]
  readonly onShow: (entry: Resource) => void
  readonly onClose: () => void
  readonly onDetails: () => void
}

/** The viewer's shortcuts. In a right-to-left page the left arrow means "next". */
export function useViewerKeys({
  arrows,
  previous,
  next,
  actions,
  onShow,
  onClose,
  onDetails,
}: ViewerKeysOptions): void {
  const t = useText()
  const rightToLeft = document.documentElement.dir === 'rtl'
  const show = (entry: Resource | null) => () => entry === null || onShow(entry)
  const navigation: Shortcut[] = [
    { keys: rightToLeft ? '→' : '←', label: t('viewer.previous'), group: 'move', run: show(previous) },
    { keys: rightToLeft ? '←' : '→', label: t('viewer.next'), group: 'move', run: show(next) },
  ]
  const own: Shortcut[] = [
    { keys: 'Esc', label: t('kit.close'), group: 'move', run: onClose },
    { keys: 'I', label: t('details.title'), group: 'act', run: onDetails },
    { keys: 'F', label: t('viewer.fullScreen'), group: 'act', run: toggleFullScreen },
  ]
  const ofActions = actions.flatMap(({ keys, label, run }): Shortcut[] =>
    keys === undefined ? [] : [{ keys, label, group: 'act', run }],
  )
  useShortcuts([...(arrows ? navigation : []), ...own, ...ofActions])
}

/** Full screen of the whole page, so dialogs and messages stay above the file. */
export function toggleFullScreen(): void {
  const { fullscreenElement, documentElement } = document
  const done = fullscreenElement === null ? documentElement.requestFullscreen() : document.exitFullscreen()
  // Rejected where full screen is not allowed, as in a frame: the viewer still covers the page.
  done.catch(() => undefined)
}
