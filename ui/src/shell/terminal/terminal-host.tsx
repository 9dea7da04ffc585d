import { useConfig } from '../../api/config.tsx'
import { useUser } from '../../api/session-context.tsx'
import { useFilesPath } from '../../lib/navigation.tsx'
import { TerminalTool, type TerminalToolProps } from './terminal-tool.tsx'

/** The way into the terminal, for those who may run commands where the server runs any. */
export function TerminalHost({ onError }: Pick<TerminalToolProps, 'onError'>) {
  const { EnableExec } = useConfig()
  const mayRun = useUser()?.perm.execute ?? false
  const path = useFilesPath()
  if (!EnableExec || !mayRun || path === undefined) return null
  return <TerminalTool path={path} onError={onError} />
}
