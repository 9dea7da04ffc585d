import { useState } from 'react'
import { WEBHOOK_EVENTS, type Webhook, type WebhookResult } from '../../../../../../src/domain/automation/webhook.ts'
import { useFormat } from '../../../../i18n/use-format.ts'
import { type Translate, useText } from '../../../../i18n/use-text.tsx'
import { Button, IconButton } from '../../../../kit/button/button.tsx'
import { Badge } from '../../../../kit/feedback/note.tsx'
import { Switch } from '../../../../kit/fields/checkbox.tsx'
import { eventText } from '../hooks/hook-form.tsx'
import styles from '../hooks/hooks.module.css'
import type { Webhooks } from './use-webhooks.ts'
import { WebhookForm } from './webhook-form.tsx'

interface WebhookRowProps {
  readonly webhook: Webhook
  readonly webhooks: Webhooks
}

export function WebhookRow({ webhook, webhooks }: WebhookRowProps) {
  const t = useText()
  const format = useFormat()
  const [editing, setEditing] = useState(false)
  const [testing, setTesting] = useState(false)
  const [result, setResult] = useState<WebhookResult>()
  const { url, name, events, enabled, waiting, lost, last } = webhook
  const label = name || url
  const editLabel = t('users.editOne', { name: label })
  const test = async (): Promise<void> => {
    setTesting(true)
    setResult(await webhooks.test(webhook))
    setTesting(false)
  }
  const facts = [
    name !== '' && url,
    events.length < WEBHOOK_EVENTS.length && events.map((event) => t(eventText(event))).join(', '),
    last === null ? t('webhooks.never') : `${resultText(t, last)}, ${format.dateTime(new Date(last.at))}`,
    waiting > 0 && t('webhooks.waiting', { count: format.number(waiting) }),
    lost > 0 && t('webhooks.lost', { count: format.number(lost) }),
  ].filter(Boolean)
  return (
    <li className={styles['hook']}>
      <Switch
        checked={enabled}
        onChange={(on) => void webhooks.switchTo(webhook, on)}
        aria-label={t('hooks.switch', { command: label })}
      />
      <div className={styles['line']}>
        {name === '' ? <code dir="ltr">{url}</code> : <span>{name}</span>}
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
          icon="key"
          label={t('webhooks.newSecret', { name: label })}
          onClick={() => void webhooks.renewSecret(webhook)}
        />
        <IconButton
          icon="trash"
          label={t('hooks.remove', { command: label })}
          onClick={() => void webhooks.remove(webhook)}
        />
      </div>
      {editing && (
        <WebhookForm
          label={editLabel}
          webhook={webhook}
          onSave={async (draft) => await webhooks.change(webhook, draft)}
          onClose={() => setEditing(false)}
        />
      )}
      {result !== undefined && (
        <div className={styles['trial']} role="status">
          <div className={styles['ended']}>
            <Badge tone={result.outcome === 'accepted' ? 'ok' : 'danger'}>{resultText(t, result)}</Badge>
            <IconButton icon="x" size="small" label={t('kit.close')} onClick={() => setResult(undefined)} />
          </div>
        </div>
      )}
    </li>
  )
}

function resultText(t: Translate, { outcome, status, detail }: WebhookResult): string {
  switch (outcome) {
    case 'accepted':
      return t('webhooks.accepted', { status: status ?? 0 })
    case 'refused':
      return t('webhooks.refused', { status: status ?? 0 })
    case 'timeout':
      return t('webhooks.timeout')
    case 'unreachable':
      return t('webhooks.unreachable', { reason: detail })
    case 'blocked':
      return t('webhooks.blocked')
  }
}
