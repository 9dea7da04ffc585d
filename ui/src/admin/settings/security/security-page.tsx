import { renewRecovery } from '../../../../../src/api/accounts/factors.ts'
import type { FactorsView } from '../../../../../src/domain/accounts/factors.ts'
import { useClient } from '../../../api/client.ts'
import { useConfig, usePageTitle } from '../../../api/page-config.tsx'
import { useUser } from '../../../api/session.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { lazyPrompt, usePrompt } from '../../../kit/dialog/prompt-stack.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { SettingCard, SettingRow } from '../../../kit/page/settings.tsx'
import { DevicesCard, ListStatus } from '../profile/devices-card.tsx'
import { PasswordCard } from '../profile/password-card.tsx'
import { TokensCard } from '../profile/tokens-card.tsx'
import { WaysCard } from '../profile/ways-card.tsx'
import { AppCard } from './app-card.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { TrustedCard } from './trusted-card.tsx'
import { useConfirmedFactor } from './use-confirmed-factor.ts'
import { useFactors, useFactorsChanged } from './use-factors.ts'

const RecoveryCodes = lazyPrompt(async () => (await import('./recovery-codes.tsx')).RecoveryCodesPrompt)

/** How the user signs in, and what is signed in as the user. */
export function SecurityPage() {
  const t = useText()
  const { NoAuth } = useConfig()
  const { data: view, isPending, refetch } = useFactors()
  const lockPassword = useUser()?.lockPassword
  const mustSetUp = view?.required?.isOver === true
  usePageTitle(t('settings.security'))
  return (
    <Page title={t('settings.security')} hint={t('security.text')}>
      {view !== undefined && (
        <>
          <AppCard view={view} />
          <PasskeysCard view={view} />
          {(view.totp !== undefined || view.passkeys.length > 0) && <RecoveryCard view={view} />}
          {view.trusted.length > 0 && <TrustedCard trusted={view.trusted} />}
        </>
      )}
      {view === undefined && (
        <ListStatus
          isPending={isPending}
          loading={t('settings.security')}
          failed={t('security.failed')}
          onRetry={() => void refetch()}
        />
      )}
      {!NoAuth && !mustSetUp && <WaysCard />}
      {!NoAuth && !lockPassword && !mustSetUp && <PasswordCard />}
      {!NoAuth && !mustSetUp && <DevicesCard />}
      {!NoAuth && !mustSetUp && <TokensCard />}
    </Page>
  )
}

function RecoveryCard({ view }: { readonly view: FactorsView }) {
  const t = useText()
  const client = useClient()
  const ask = usePrompt()
  const confirmed = useConfirmedFactor(view)
  const changed = useFactorsChanged()
  const renew = async (): Promise<void> => {
    const made = await confirmed({
      title: t('security.newCodes'),
      text: t('security.newCodesText'),
      label: t('security.newCodes'),
      always: true,
      send: async (body) => await client.call(renewRecovery, { body }),
    })
    if (made === undefined) return
    await ask(RecoveryCodes, { codes: made.value.recoveryCodes })
    await changed()
  }
  return (
    <SettingCard title={t('security.codesTitle')} hint={t('factor.recoveryText')}>
      <SettingRow label={t('security.codesLeft', { count: view.recoveryCodes })}>
        <Button onClick={() => void renew()}>{t('security.newCodes')}</Button>
      </SettingRow>
    </SettingCard>
  )
}
