import { useConfig } from '../../api/page-config.tsx'
import { useUser } from '../../api/session.ts'
import { useFilesPath } from '../../lib/navigation/navigation.tsx'
import { useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { LazyBoundary, lazyComponent } from '../../kit/lazy-component.tsx'
import { useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { Portal } from '../../kit/page/portal.tsx'
import { useReportLoadFailure } from '../../common/use-report-load-failure.ts'
import type { TerminalMemory } from './terminal-panel.tsx'

/** Opens the terminal, if the user may run commands and the server allows it. */
export function TerminalHost() {
  const { EnableExec } = useConfig()
  const mayRun = useUser()?.perm.execute ?? false
  const path = useFilesPath()
  if (!EnableExec || !mayRun || path === undefined) return null
  return <TerminalTool path={path} />
}

const TerminalRoot = lazyComponent(async () => (await import('./terminal-panel.tsx')).TerminalRoot)

interface TerminalToolProps {
  /** Path of the open folder or file. */
  readonly path: string
}

/** Opens and closes the terminal, by its button and its keys. */
function TerminalTool({ path }: TerminalToolProps) {
  const t = useText()
  const [open, setOpen] = useState(false)
  const [memory] = useState<TerminalMemory>({})
  const reportLoadFailure = useReportLoadFailure()
  const toggle = () => setOpen(!open)
  useShortcuts([
    { keys: 'Ctrl+`', label: t('terminal.title'), group: 'act', icon: 'terminal', run: toggle, inFields: true },
  ])
  return (
    <>
      <IconButton
        icon="terminal"
        label={t('terminal.title')}
        pressed={open}
        aria-keyshortcuts="Control+`"
        onClick={toggle}
      />
      {open && (
        <Portal to="dock">
          <LazyBoundary
            onError={() => {
              setOpen(false)
              reportLoadFailure()
            }}
          >
            <TerminalRoot
              memory={memory}
              folder={path.slice(0, path.lastIndexOf('/') + 1)}
              onClose={() => setOpen(false)}
            />
          </LazyBoundary>
        </Portal>
      )}
    </>
  )
}
