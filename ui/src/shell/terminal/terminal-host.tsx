import { useConfig } from '../../api/config.tsx'
import { useUser } from '../../api/session-context.tsx'
import { lazyPart } from '../../kit/lazy-part.tsx'
import { useFilesPath } from '../../lib/use-files-path.ts'
import { LatePart } from '../../files/actions/late-part.tsx'
import type { TerminalToolProps } from './terminal-tool.tsx'

const TerminalTool = lazyPart(async () => (await import('./terminal-tool.tsx')).TerminalTool)

/** The way into the terminal, for those who may run commands where the server runs any. */
export function TerminalHost({ onError }: Pick<TerminalToolProps, 'onError'>) {
  const { EnableExec } = useConfig()
  const mayRun = useUser()?.perm.execute ?? false
  const path = useFilesPath()
  if (!EnableExec || !mayRun || path === undefined) return null
  return (
    <LatePart fallback={null}>
      <TerminalTool path={path} onError={onError} />
    </LatePart>
  )
}
