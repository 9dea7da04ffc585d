import { useRef } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { useRestoreFocus } from '../../kit/keyboard/focus.ts'
import { useStore } from '../../lib/create-store.ts'
import { copyText } from '../../lib/copy-text.ts'
import { CommandLine, type CommandHistory, createCommandHistory } from './command-line.tsx'
import { TerminalOutput } from './terminal-output.tsx'
import { type TerminalSession, textOf, openCommandSocket, createTerminalSession } from './terminal-session.ts'
import { usePanelHeight } from './use-panel-height.ts'
import styles from './terminal.module.css'
import { openTerminal } from '../../../../src/api/automation/terminal.ts'
import { type Client, useClient } from '../../api/client.ts'

interface TerminalPanelProps {
  readonly session: TerminalSession
  readonly history: CommandHistory
  /** Working directory of the next command. */
  readonly folder: string
  readonly onClose: () => void
}

/** A terminal below the files. Commands run in the open folder. */
export function TerminalPanel({ session, history, folder, onClose }: TerminalPanelProps) {
  const t = useText()
  const toasts = useToasts()
  const field = useRef<HTMLInputElement>(null)
  const panel = useRef<HTMLElement>(null)
  useRestoreFocus(panel)
  const { height, min, max, onPointerDown, onKeyDown } = usePanelHeight()
  const { lines, running } = useStore(session.state)
  const submit = (command: string) => {
    if (command !== '') history.add(command)
    if (command === 'clear') session.clear()
    else if (command === 'exit') onClose()
    else if (command !== '') session.run(folder, command)
  }
  const copy = async () => {
    if (await copyText(textOf(lines))) toasts.success(t('actions.textCopied'))
    else toasts.error(t('actions.textNotCopied'))
  }
  return (
    <section
      ref={panel}
      data-dock=""
      className={styles['panel']}
      style={{ blockSize: height }}
      aria-label={t('terminal.title')}
    >
      <div
        className={styles['separator']}
        role="separator"
        aria-orientation="horizontal"
        aria-label={t('terminal.resize')}
        aria-valuemin={Math.round(min)}
        aria-valuemax={Math.round(max)}
        aria-valuenow={height}
        tabIndex={0}
        onPointerDown={onPointerDown}
        onKeyDown={onKeyDown}
      />
      <header className={styles['bar']}>
        <Icon name="terminal" size={16} />
        <h2>{t('terminal.title')}</h2>
        <span className="grow" />
        {running && (
          <Button variant="danger-quiet" size="small" icon="x" onClick={session.stop}>
            {t('search.stop')}
          </Button>
        )}
        <IconButton icon="copy" size="small" label={t('terminal.copy')} onClick={() => void copy()} />
        <IconButton icon="trash" size="small" label={t('terminal.clear')} onClick={session.clear} />
        <IconButton icon="x" size="small" label={t('kit.close')} onClick={onClose} />
      </header>
      <TerminalOutput lines={lines} onFocusField={() => field.current?.focus()} />
      <CommandLine
        fieldRef={field}
        folder={folder}
        running={running}
        history={history}
        onSubmit={submit}
        onStop={session.stop}
        onClear={session.clear}
      />
    </section>
  )
}

/** State that outlives the panel. Created by its host, filled by the lazily loaded panel. */
export interface TerminalMemory {
  terminal?: { readonly session: TerminalSession; readonly history: CommandHistory }
}

interface TerminalRootProps {
  readonly memory: TerminalMemory
  readonly folder: string
  readonly onClose: () => void
}

export function TerminalRoot({ memory, folder, onClose }: TerminalRootProps) {
  const client = useClient()
  const { session, history } = (memory.terminal ??= {
    session: createTerminalSession((path, line, handlers) =>
      openCommandSocket(addressOf(client, path), line, handlers),
    ),
    history: createCommandHistory(sessionStorage),
  })
  return <TerminalPanel session={session} history={history} folder={folder} onClose={onClose} />
}

/** The WebSocket address on this server. The browser sends the session cookie along. */
function addressOf(client: Client, folder: string): URL {
  const url = new URL(client.url(openTerminal, { params: { '*': folder } }), location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url
}
