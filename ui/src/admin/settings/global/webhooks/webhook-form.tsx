import { type ReactNode, useState, type SubmitEvent } from 'react'
import { WEBHOOK_EVENTS, type Webhook, type WebhookEvent } from '../../../../../../src/domain/automation/webhook.ts'
import { useText } from '../../../../i18n/use-text.tsx'
import { Button } from '../../../../kit/button/button.tsx'
import { Checkbox } from '../../../../kit/fields/checkbox.tsx'
import { TextField } from '../../../../kit/fields/text-field.tsx'
import { eventText } from '../hooks/hooks-section.tsx'
import { useHookRequest } from '../hooks/use-hooks.ts'
import { EditorButtons } from '../hooks/entry-row.tsx'
import styles from '../hooks/hooks.module.css'

export type WebhookDraft = Pick<Webhook, 'url' | 'name' | 'events'>

const EMPTY: WebhookDraft = { url: '', name: '', events: [...WEBHOOK_EVENTS] }

interface WebhookFormProps {
  readonly label: string
  /** Absent for a new webhook. */
  readonly webhook?: Webhook
  /** @throws ApiError, which the form shows */
  readonly onSave: (draft: WebhookDraft) => Promise<void>
  /** Shows a Cancel button. */
  readonly onClose?: () => void
}

/** Form for a new or an existing webhook. Errors are shown at the address. */
export function WebhookForm({ label, webhook, onSave, onClose }: WebhookFormProps) {
  const t = useText()
  const [draft, setDraft] = useState<WebhookDraft>(webhook ?? EMPTY)
  const [problem, setProblem] = useState<ReactNode>('')
  const { busy, send } = useHookRequest(setProblem)
  const { url, name, events } = draft
  const set = (change: Partial<WebhookDraft>) => {
    setProblem('')
    setDraft({ ...draft, ...change })
  }
  const toggle = (event: WebhookEvent, on: boolean) =>
    set({ events: WEBHOOK_EVENTS.filter((each) => (each === event ? on : events.includes(each))) })

  const submit = async (submitted: SubmitEvent): Promise<void> => {
    submitted.preventDefault()
    if (url.trim() === '') setProblem(t('form.empty'))
    else if (events.length === 0) setProblem(t('webhooks.noEvents'))
    else if (await send(async () => await onSave({ url: url.trim(), name: name.trim(), events }))) {
      if (onClose === undefined) setDraft(EMPTY)
      else onClose()
    }
  }

  return (
    <form
      className={styles[webhook === undefined ? 'form' : 'editor']}
      noValidate
      aria-label={label}
      onSubmit={(submitted) => void submit(submitted)}
      onKeyDown={({ key }) => key === 'Escape' && onClose?.()}
    >
      <TextField
        className={styles['command']}
        label={t('webhooks.url')}
        type="url"
        error={problem}
        value={url}
        dir="ltr"
        maxLength={2048}
        autoComplete="off"
        onChange={({ currentTarget }) => set({ url: currentTarget.value })}
      />
      <TextField
        className={styles['command']}
        label={t('webhooks.name')}
        value={name}
        maxLength={100}
        autoComplete="off"
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <fieldset className={styles['events']}>
        <legend>{t('webhooks.events')}</legend>
        {WEBHOOK_EVENTS.map((event) => (
          <Checkbox
            key={event}
            label={t(eventText(event))}
            checked={events.includes(event)}
            onChange={(on) => toggle(event, on)}
          />
        ))}
      </fieldset>
      {onClose === undefined ? (
        <Button type="submit" icon="plus" size="small" progress={busy ? 'busy' : 'idle'}>
          {t('hooks.add')}
        </Button>
      ) : (
        <EditorButtons busy={busy} onCancel={onClose} />
      )}
    </form>
  )
}
