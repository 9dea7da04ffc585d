import { openTerminal } from '../../../../src/api/terminal.ts'
import type { Client } from '../../api/client.ts'
import { useClient } from '../../api/client-context.tsx'
import { createCommandHistory, type CommandHistory } from './command-history.ts'
import { openCommandSocket } from './command-socket.ts'
import { TerminalPanel } from './terminal-panel.tsx'
import { createTerminalSession, type TerminalSession } from './terminal-session.ts'

/** What outlives the panel. Held by what is there before the panel's code is, and filled by that code. */
export interface TerminalMemory {
  terminal?: { readonly session: TerminalSession; readonly history: CommandHistory }
}

interface TerminalRootProps {
  readonly kept: TerminalMemory
  readonly folder: string
  readonly onClose: () => void
}

export function TerminalRoot({ kept, folder, onClose }: TerminalRootProps) {
  const client = useClient()
  const { session, history } = (kept.terminal ??= {
    session: createTerminalSession((place, line, handlers) =>
      openCommandSocket(addressOf(client, place), line, handlers),
    ),
    history: createCommandHistory(sessionStorage),
  })
  return <TerminalPanel session={session} history={history} folder={folder} onClose={onClose} />
}

/** Of this server; the session's cookie goes with it. */
function addressOf(client: Client, folder: string): URL {
  const url = new URL(client.url(openTerminal, { params: { '*': folder } }), location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url
}
