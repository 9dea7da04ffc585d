import { useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { LazyBoundary, lazyPart } from '../../kit/lazy-part.tsx'
import { useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { Fill } from '../../kit/page/slot.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { useFilesPath } from '../../lib/navigation/navigation.tsx'

const PathInput = lazyPart(async () => (await import('./path-input.tsx')).PathInput)

/** Ctrl+L turns the breadcrumbs into the path as text, to be typed or pasted. */
export function PathField() {
  const t = useText()
  const toasts = useToasts()
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
    toasts.error(t('app.partMissing'))
  }
  return (
    <LazyBoundary onError={giveUp}>
      <Fill slot="breadcrumb-field">
        <PathInput path={path} onClose={close} />
      </Fill>
    </LazyBoundary>
  )
}
