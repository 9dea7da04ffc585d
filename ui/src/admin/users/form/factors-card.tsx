import { useQueryClient } from '@tanstack/react-query'
import { resetFactors } from '../../../../../src/api/accounts/users.ts'
import type { Factor } from '../../../../../src/domain/accounts/factors.ts'
import type { UserView } from '../../../../../src/domain/accounts/user.ts'
import { useClient } from '../../../api/client.ts'
import { useConfirmed } from '../../../common/confirm-prompt.tsx'
import { refusalOf } from '../../../common/refusal.tsx'
import { type MessageId, useLocale, useText, useTextPart } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { SettingCard, SettingRow } from '../../../kit/page/settings.tsx'

const NAMES: Readonly<Record<Factor, MessageId>> = {
  totp: 'security.app',
  passkey: 'security.passkeys',
  recovery: 'security.codesTitle',
}

interface FactorsCardProps {
  readonly user: UserView
  /** The second factors of the account. */
  readonly factors: readonly Factor[]
}

/** What an account has for the second step, and the way out for somebody who has lost all of it. */
export function FactorsCard({ user: { id, username }, factors }: FactorsCardProps) {
  useTextPart('security')
  const t = useText()
  const client = useClient()
  const toasts = useToasts()
  const confirmed = useConfirmed()
  const queries = useQueryClient()
  const list = new Intl.ListFormat(useLocale(), { type: 'unit' })
  const reset = async (): Promise<void> => {
    const outcome = await confirmed({
      title: t('users.resetTitle', { name: username }),
      text: t('users.resetText'),
      label: t('users.reset'),
      danger: true,
      always: true,
      explain: refusalOf,
      send: async (password) => {
        const body = password === undefined ? {} : { current_password: password }
        await client.call(resetFactors, { params: { id: String(id) }, body })
      },
    })
    if (outcome !== true) return
    toasts.success(t('users.resetDone'))
    await queries.invalidateQueries({ queryKey: ['users'] })
    await queries.invalidateQueries({ queryKey: ['sessions'] })
  }
  return (
    <SettingCard title={t('users.secondStep')}>
      <SettingRow label={list.format(factors.map((factor) => t(NAMES[factor])))}>
        <Button variant="danger-quiet" onClick={() => void reset()}>
          {t('users.reset')}
        </Button>
      </SettingRow>
    </SettingCard>
  )
}
