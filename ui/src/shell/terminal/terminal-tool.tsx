import { useConfig } from '../../api/page-config.tsx'
import { useUser } from '../../api/session.ts'
import { useFilesPath } from '../../lib/navigation/navigation.tsx'
import { useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { LazyBoundary, lazyPart } from '../../kit/lazy-part.tsx'
import { useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { Fill } from '../../kit/page/slot.tsx'
import type { TerminalMemory } from './terminal-panel.tsx'

/** The way into the terminal, for those who may run commands where the server runs any. */
export function TerminalHost({ onError }: Pick<TerminalToolProps, 'onError'>) {
  const { EnableExec } = useConfig()
  const mayRun = useUser()?.perm.execute ?? false
  const path = useFilesPath()
  if (!EnableExec || !mayRun || path === undefined) return null
  return <TerminalTool path={path} onError={onError} />
}

const TerminalRoot = lazyPart(async () => (await import('./terminal-panel.tsx')).TerminalRoot)

interface TerminalToolProps {
  /** Of the folder or file that is open. */
  readonly path: string
  /** The terminal could not be fetched. */
  readonly onError: () => void
}

/** Opens and closes the terminal, by its button and its keys. */
function TerminalTool({ path, onError }: TerminalToolProps) {
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
          <LazyBoundary
            onError={() => {
              setOpen(false)
              onError()
            }}
          >
            <TerminalRoot
              kept={kept}
              folder={path.slice(0, path.lastIndexOf('/') + 1)}
              onClose={() => setOpen(false)}
            />
          </LazyBoundary>
        </Fill>
      )}
    </>
  )
}
