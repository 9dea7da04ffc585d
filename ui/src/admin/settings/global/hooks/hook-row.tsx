import { type ReactNode, useState, type SubmitEvent } from 'react'
import type { Hook, HookTrial } from '../../../../../../src/domain/automation/hook.ts'
import { useText } from '../../../../i18n/use-text.tsx'
import { IconButton } from '../../../../kit/button/button.tsx'
import { EditorButtons, EntryRow, TrialResult } from './entry-row.tsx'
import styles from './hooks.module.css'
import { type Hooks, useHookRequest } from './use-hooks.ts'
import { ErrorNote } from '../../../../kit/feedback/note.tsx'
import { HookLimitsFields, limitsOf, limitsProblem, type HookLimitsDraft } from './hook-limits-fields.tsx'

interface HookRowProps {
  readonly hook: Hook
  /** The hooks among which it can be moved, including itself. */
  readonly peers: readonly Hook[]
  readonly hooks: Hooks
}

export function HookRow({ hook, peers, hooks }: HookRowProps) {
  const t = useText()
  const { line, enabled, waits, timeout, onFailure, event } = hook
  const index = peers.indexOf(hook)
  const facts = [
    t('hooks.limit', { seconds: timeout }),
    !waits && t('hooks.inBackground'),
    waits && event.startsWith('before_') && (onFailure === 'refuse' ? t('hooks.refuses') : t('hooks.ignores')),
  ]
  return (
    <EntryRow
      name={line}
      enabled={enabled}
      line={<code dir="ltr">{line}</code>}
      facts={facts}
      onSwitch={async (on) => await hooks.switchTo(hook, on)}
      onRemove={async () => await hooks.remove(hook)}
      onTest={async () => await hooks.test(hook)}
      trialOf={(trial, close) => <HookOutput trial={trial} onClose={close} />}
      editorOf={(label, close) => <HookEditor hook={hook} hooks={hooks} label={label} onClose={close} />}
    >
      <IconButton
        icon="up"
        label={t('hooks.moveUp', { command: line })}
        disabled={index === 0}
        onClick={() => void hooks.move(hook, index - 1)}
      />
      <IconButton
        icon="down"
        label={t('hooks.moveDown', { command: line })}
        disabled={index === peers.length - 1}
        onClick={() => void hooks.move(hook, index + 1)}
      />
    </EntryRow>
  )
}

interface HookEditorProps {
  readonly hook: Hook
  readonly hooks: Hooks
  readonly label: string
  readonly onClose: () => void
}

/** Form for the limits of an existing hook. */
function HookEditor({ hook, hooks, label, onClose }: HookEditorProps) {
  const t = useText()
  const [draft, setDraft] = useState<HookLimitsDraft>(hook)
  const [problem, setProblem] = useState<ReactNode>('')
  const { busy, send } = useHookRequest(setProblem)

  const submit = async (submitted: SubmitEvent): Promise<void> => {
    submitted.preventDefault()
    const limits = limitsOf(draft)
    if (limits === undefined) {
      setProblem(t(limitsProblem(draft)))
      return
    }
    if (await send(() => hooks.limit(hook, limits))) onClose()
  }

  return (
    <form
      className={styles['editor']}
      noValidate
      aria-label={label}
      onSubmit={(submitted) => void submit(submitted)}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <HookLimitsFields
        event={hook.event}
        draft={draft}
        onChange={(changed) => {
          setProblem('')
          setDraft(changed)
        }}
      />
      <ErrorNote>{problem}</ErrorNote>
      <EditorButtons busy={busy} onCancel={onClose} />
    </form>
  )
}

/** Result and output of a test run. */
function HookOutput({ trial, onClose }: { readonly trial: HookTrial; readonly onClose: () => void }) {
  const t = useText()
  const { exitCode, ended, stdout, stderr } = trial
  const output = [stdout, stderr].filter(Boolean).join('\n')
  const end = {
    timeout: t('hooks.endedTime'),
    output: t('hooks.endedOutput'),
    abort: t('hooks.endedAbort'),
    'by itself': exitCode === null ? t('hooks.endedSignal') : t('hooks.exitCode', { code: exitCode }),
  }[ended]
  const succeeded = ended === 'by itself' && exitCode === 0
  return (
    <TrialResult succeeded={succeeded} text={end} closeLabel={t('hooks.closeOutput')} onClose={onClose}>
      {output === '' ? (
        <p className="subtle small">{t('hooks.silent')}</p>
      ) : (
        <pre dir="ltr" tabIndex={0} aria-label={t('hooks.output')}>
          {output}
        </pre>
      )}
    </TrialResult>
  )
}
