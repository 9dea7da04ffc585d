import { Suspense, useState } from 'react'
import { useConfig } from '../../api/config.tsx'
import { useUser } from '../../api/session-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/icon-button.tsx'
import { lazyPart } from '../../kit/lazy-part.tsx'
import { OverlayBoundary } from '../../kit/overlay-boundary.tsx'
import { useShortcuts } from '../../kit/shortcuts.tsx'
import { Fill } from '../../kit/slot.tsx'
import { useFilesPath } from '../../lib/use-files-path.ts'
import type { TerminalMemory } from './terminal-root.tsx'

const TerminalRoot = lazyPart(async () => (await import('./terminal-root.tsx')).TerminalRoot)

/** The way into the terminal, for those who may run commands where the server runs any. */
export function TerminalHost({ onError }: { readonly onError: () => void }) {
  const { EnableExec } = useConfig()
  const mayRun = useUser()?.perm.execute ?? false
  const path = useFilesPath()
  return EnableExec && mayRun && path !== undefined ? <Terminal path={path} onError={onError} /> : null
}

function Terminal({ path, onError }: { readonly path: string; readonly onError: () => void }) {
  const t = useText()
  const [open, setOpen] = useState(false)
  const [kept] = useState<TerminalMemory>({})
  const toggle = () => setOpen(!open)
  useShortcuts([
    { keys: 'Ctrl+`', label: t('terminal.title'), group: 'act', icon: 'terminal', run: toggle, inFields: true },
  ])
  return (
    <>
      <Fill slot="find">
        <IconButton
          icon="terminal"
          label={t('terminal.title')}
          pressed={open}
          aria-keyshortcuts="Control+`"
          onClick={toggle}
        />
      </Fill>
      {open && (
        <Fill slot="dock">
          <OverlayBoundary
            onError={() => {
              setOpen(false)
              onError()
            }}
          >
            <Suspense>
              <TerminalRoot
                kept={kept}
                folder={path.slice(0, path.lastIndexOf('/') + 1)}
                onClose={() => setOpen(false)}
              />
            </Suspense>
          </OverlayBoundary>
        </Fill>
      )}
    </>
  )
}
