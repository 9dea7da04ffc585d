import { useCopy } from '../../../../files/share/share-links.ts'
import { useText, type Translate } from '../../../../i18n/use-text.tsx'
import { Button, IconButton } from '../../../../kit/button/button.tsx'
import { TextField } from '../../../../kit/fields/text-field.tsx'
import { SettingCard } from '../../../../kit/page/settings.tsx'
import styles from '../hooks/hooks.module.css'
import { useWebhooks, type Webhooks } from './use-webhooks.ts'
import { WebhookForm } from './webhook-form.tsx'
import { WEBHOOK_EVENTS, type Webhook, type WebhookResult } from '../../../../../../src/domain/automation/webhook.ts'
import { useFormat } from '../../../../i18n/use-format.ts'
import { EntryRow, TrialResult } from '../hooks/entry-row.tsx'
import { eventText } from '../hooks/hooks-section.tsx'

/** Addresses that the server notifies of file actions. Changes are saved at once. */
export function WebhooksSection() {
  const t = useText()
  const webhooks = useWebhooks()
  return (
    <SettingCard title={t('webhooks.title')} hint={t('webhooks.hint')}>
      {webhooks.list.length > 0 && (
        <ol className={styles['event']}>
          {webhooks.list.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} webhooks={webhooks} />
          ))}
        </ol>
      )}
      {webhooks.newSecret !== undefined && (
        <NewSecret secret={webhooks.newSecret} onClose={() => webhooks.dismissSecret()} />
      )}
      <WebhookForm label={t('webhooks.new')} onSave={async (draft) => await webhooks.add(draft)} />
    </SettingCard>
  )
}

function NewSecret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const t = useText()
  const copy = useCopy()
  const copySecret = () => void copy({ text: secret, success: t('webhooks.secretCopied') })
  return (
    <div className={styles['secret']} role="group" aria-label={t('webhooks.secret')}>
      <TextField
        label={t('webhooks.secret')}
        hint={t('webhooks.secretHint')}
        value={secret}
        dir="ltr"
        readOnly
        end={<IconButton icon="copy" label={t('actions.copy')} onClick={copySecret} />}
      />
      <Button size="small" onClick={onClose}>
        {t('kit.close')}
      </Button>
    </div>
  )
}

interface WebhookRowProps {
  readonly webhook: Webhook
  readonly webhooks: Webhooks
}

function WebhookRow({ webhook, webhooks }: WebhookRowProps) {
  const t = useText()
  const format = useFormat()
  const { url, name, events, enabled, waiting, lost, last } = webhook
  const label = name || url
  const facts = [
    name !== '' && url,
    events.length < WEBHOOK_EVENTS.length && events.map((event) => t(eventText(event))).join(', '),
    last === null ? t('webhooks.never') : `${resultText(t, last)}, ${format.dateTime(new Date(last.at))}`,
    waiting > 0 && t('webhooks.waiting', { count: format.number(waiting) }),
    lost > 0 && t('webhooks.lost', { count: format.number(lost) }),
  ]
  return (
    <EntryRow
      name={label}
      enabled={enabled}
      line={name === '' ? <code dir="ltr">{url}</code> : <span>{name}</span>}
      facts={facts}
      onSwitch={async (on) => await webhooks.switchTo(webhook, on)}
      onRemove={async () => await webhooks.remove(webhook)}
      onTest={async () => await webhooks.test(webhook)}
      trialOf={(result, close) => (
        <TrialResult
          succeeded={result.outcome === 'accepted'}
          text={resultText(t, result)}
          closeLabel={t('kit.close')}
          onClose={close}
        />
      )}
      editorOf={(editLabel, close) => (
        <WebhookForm
          label={editLabel}
          webhook={webhook}
          onSave={async (draft) => await webhooks.change(webhook, draft)}
          onClose={close}
        />
      )}
    >
      <IconButton
        icon="key"
        label={t('webhooks.newSecret', { name: label })}
        onClick={() => void webhooks.renewSecret(webhook)}
      />
    </EntryRow>
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
