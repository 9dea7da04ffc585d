import type { Resource } from '../../../src/domain/resource.ts'
import { useText } from '../i18n/use-text.tsx'
import { useShortcuts, type Shortcut } from '../kit/keyboard/shortcuts.tsx'
import { toggleFullScreen } from './full-screen.ts'
import type { ViewerAction } from './viewer-action.ts'

interface ViewerKeysOptions {
  /** Whether the arrows lead to other files; in films and songs they lead to other places. */
  readonly arrows: boolean
  readonly previous: Resource | null
  readonly next: Resource | null
  readonly actions: readonly ViewerAction[]
  readonly onShow: (entry: Resource) => void
  readonly onClose: () => void
  readonly onDetails: () => void
}

/** Arrows follow what one sees: in a page from right to left, the left one leads on. */
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
  const ways: Shortcut[] = [
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
  useShortcuts([...(arrows ? ways : []), ...own, ...ofActions])
}
