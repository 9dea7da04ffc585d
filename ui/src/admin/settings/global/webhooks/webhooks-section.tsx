import { useCopy } from '../../../../files/share/share-links.ts'
import { useText } from '../../../../i18n/use-text.tsx'
import { Button, IconButton } from '../../../../kit/button/button.tsx'
import { TextField } from '../../../../kit/fields/text-field.tsx'
import { SettingCard } from '../../../../kit/page/settings.tsx'
import styles from '../hooks/hooks.module.css'
import { useWebhooks } from './use-webhooks.ts'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookRow } from './webhook-row.tsx'

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
