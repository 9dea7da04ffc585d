import { useState, type SubmitEvent } from 'react'
import type { Hook, HookTrial } from '../../../../../../src/domain/automation/hook.ts'
import { useText } from '../../../../i18n/use-text.tsx'
import { Button, IconButton } from '../../../../kit/button/button.tsx'
import { Switch } from '../../../../kit/fields/checkbox.tsx'
import { EditorButtons } from './editor-buttons.tsx'
import styles from './hooks.module.css'
import { type Hooks, useHookRequest } from './use-hooks.ts'
import { Note, Badge } from '../../../../kit/feedback/note.tsx'
import { HookLimitsFields, limitsOf, limitsProblem, type HookLimitsDraft } from './hook-limits-fields.tsx'

interface HookRowProps {
  readonly hook: Hook
  /** The hooks among which it can be moved, including itself. */
  readonly peers: readonly Hook[]
  readonly hooks: Hooks
}

export function HookRow({ hook, peers, hooks }: HookRowProps) {
  const t = useText()
  const [trial, setTrial] = useState<HookTrial>()
  const [editing, setEditing] = useState(false)
  const [testing, setTesting] = useState(false)
  const { line, enabled, waits, timeout, onFailure, event } = hook
  const index = peers.indexOf(hook)
  const editLabel = t('users.editOne', { name: line })
  const test = async (): Promise<void> => {
    setTesting(true)
    setTrial(await hooks.test(hook))
    setTesting(false)
  }
  const facts = [
    t('hooks.limit', { seconds: timeout }),
    !waits && t('hooks.inBackground'),
    waits && event.startsWith('before_') && (onFailure === 'refuse' ? t('hooks.refuses') : t('hooks.ignores')),
  ].filter(Boolean)
  return (
    <li className={styles['hook']}>
      <Switch
        checked={enabled}
        onChange={(on) => void hooks.switchTo(hook, on)}
        aria-label={t('hooks.switch', { command: line })}
      />
      <div className={styles['line']}>
        <code dir="ltr">{line}</code>
        <span className="subtle tiny">{facts.join(' · ')}</span>
      </div>
      <div className={styles['buttons']}>
        <Button
          size="small"
          variant="ghost"
          icon="play"
          progress={testing ? 'busy' : 'idle'}
          onClick={() => void test()}
        >
          {t('hooks.test')}
        </Button>
        <IconButton icon="sliders" label={editLabel} aria-expanded={editing} onClick={() => setEditing(!editing)} />
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
        <IconButton icon="trash" label={t('hooks.remove', { command: line })} onClick={() => void hooks.remove(hook)} />
      </div>
      {editing && <HookEditor hook={hook} hooks={hooks} label={editLabel} onClose={() => setEditing(false)} />}
      {trial !== undefined && <HookOutput trial={trial} onClose={() => setTrial(undefined)} />}
    </li>
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
  const [problem, setProblem] = useState('')
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
      {problem !== '' && (
        <Note icon="error" tone="danger" role="alert">
          {problem}
        </Note>
      )}
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
  return (
    <div className={styles['trial']} role="status">
      <div className={styles['ended']}>
        <Badge tone={ended === 'by itself' && exitCode === 0 ? 'ok' : 'danger'}>{end}</Badge>
        <IconButton icon="x" size="small" label={t('hooks.closeOutput')} onClick={onClose} />
      </div>
      {output === '' ? (
        <p className="subtle small">{t('hooks.silent')}</p>
      ) : (
        <pre dir="ltr" tabIndex={0} aria-label={t('hooks.output')}>
          {output}
        </pre>
      )}
    </div>
  )
}
