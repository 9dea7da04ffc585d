import { useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { LazyBoundary, lazyComponent } from '../../kit/lazy-component.tsx'
import { useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { useReportLoadFailure } from '../../common/use-report-load-failure.ts'
import { useFilesPath } from '../../lib/navigation/navigation.tsx'

const PathInput = lazyComponent(async () => (await import('./path-input.tsx')).PathInput)

/** Ctrl+L replaces the breadcrumbs with a field for typing or pasting a path. */
export function PathField() {
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
