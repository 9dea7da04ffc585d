import { useState, type SubmitEvent } from 'react'
import type { Hook } from '../../../../../../src/domain/hook.ts'
import { ApiError } from '../../../../api/api-error.ts'
import { useText } from '../../../../i18n/use-text.tsx'
import { Button } from '../../../../kit/button/button.tsx'
import { Note } from '../../../../kit/feedback/note.tsx'
import { sentence } from '../../../../lib/sentence.ts'
import { useTellFailure } from '../../../forms/use-tell-failure.ts'
import { HookLimitsFields, limitsOf, limitsProblem, type HookLimitsDraft } from './hook-limits-fields.tsx'
import styles from './hooks.module.css'
import type { Hooks } from './use-hooks.ts'

interface HookEditorProps {
  readonly hook: Hook
  readonly hooks: Hooks
  readonly label: string
  readonly onClose: () => void
}

/** The limits of a hook that there is already. */
export function HookEditor({ hook, hooks, label, onClose }: HookEditorProps) {
  const t = useText()
  const tellFailure = useTellFailure()
  const [draft, setDraft] = useState<HookLimitsDraft>(hook)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)

  const submit = async (submitted: SubmitEvent): Promise<void> => {
    submitted.preventDefault()
    const limits = limitsOf(draft)
    if (limits === undefined) {
      setProblem(t(limitsProblem(draft)))
      return
    }
    setBusy(true)
    try {
      await hooks.limit(hook, limits)
      onClose()
    } catch (error) {
      if (error instanceof ApiError && error.status === 400) setProblem(sentence(error.message))
      else tellFailure(error)
    } finally {
      setBusy(false)
    }
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
      <div className={styles['choices']}>
        <Button size="small" onClick={onClose}>
          {t('files.cancel')}
        </Button>
        <Button type="submit" variant="primary" size="small" progress={busy ? 'busy' : 'idle'}>
          {t('settings.save')}
        </Button>
      </div>
    </form>
  )
}
