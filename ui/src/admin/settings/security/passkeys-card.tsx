import { useState } from 'react'
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from '../../../../../src/api/accounts/factors.ts'
import type { FactorsView, PasskeyView } from '../../../../../src/domain/accounts/factors.ts'
import { ignoreGone } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button, IconButton } from '../../../kit/button/button.tsx'
import { lazyPrompt, usePrompt } from '../../../kit/dialog/prompt-stack.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import { SettingCard } from '../../../kit/page/settings.tsx'
import devices from '../rows.module.css'
import { readUserAgent } from '../profile/user-agent.ts'
import { useConfirmedFactor } from './use-confirmed-factor.ts'
import { useFactorsChanged, useReportProblem } from './use-factors.ts'
import styles from './security.module.css'

const NamePrompt = lazyPrompt(async () => (await import('./passkey-name-prompt.tsx')).PasskeyNamePrompt)
const RecoveryCodes = lazyPrompt(async () => (await import('./recovery-codes.tsx')).RecoveryCodesPrompt)

/** The user's passkeys: for the second step, and to sign in without a password. */
export function PasskeysCard({ view }: { readonly view: FactorsView }) {
  const t = useText()
  const { add, busy } = useAddPasskey(view)
  const isPossible = 'PublicKeyCredential' in window
  return (
    <SettingCard
      title={t('security.passkeys')}
      hint={t('security.passkeysText')}
      footer={
        isPossible && (
          <Button icon="plus" progress={busy ? 'busy' : 'idle'} onClick={() => void add()}>
            {t('security.addPasskey')}
          </Button>
        )
      }
    >
      {view.passkeys.length > 0 && (
        <ul className={devices['list']} aria-label={t('security.passkeys')}>
          {view.passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} view={view} />
          ))}
        </ul>
      )}
      {view.passkeys.length === 0 && (
        <div className={devices['wait']}>
          <p>{t(isPossible ? 'security.noPasskeys' : 'security.passkeysNeedTls')}</p>
        </div>
      )}
    </SettingCard>
  )
}

function useAddPasskey(view: FactorsView) {
  const t = useText()
  const client = useClient()
  const ask = usePrompt()
  const toasts = useToasts()
  const confirmed = useConfirmedFactor(view)
  const changed = useFactorsChanged()
  const report = useReportProblem()
  const [busy, setBusy] = useState(false)
  const add = async (): Promise<void> => {
    const options = await confirmed({
      title: t('security.addPasskey'),
      label: t('factor.continue'),
      send: async (body) => await client.call(beginPasskey, { body }),
    })
    if (options === undefined) return
    setBusy(true)
    try {
      const { makePasskey } = await import('../../../api/passkeys.ts')
      const passkey = await makePasskey(options.value).catch(() => undefined)
      if (passkey === undefined) {
        toasts.error(t('factor.passkeyFailed'))
        return
      }
      const system = readUserAgent(navigator.userAgent).system ?? t('devices.byPasskey')
      const name = (await ask(NamePrompt, { name: system })) ?? system
      const { recoveryCodes } = await client.call(addPasskey, { body: { name, passkey } })
      if (recoveryCodes.length > 0) await ask(RecoveryCodes, { codes: recoveryCodes })
      await changed()
      toasts.success(t('security.passkeyAdded', { name }))
    } catch (error) {
      report(error)
    } finally {
      setBusy(false)
    }
  }
  return { add, busy }
}

function PasskeyRow({ passkey, view }: { readonly passkey: PasskeyView; readonly view: FactorsView }) {
  const t = useText()
  const format = useFormat()
  const client = useClient()
  const ask = usePrompt()
  const confirmed = useConfirmedFactor(view)
  const changed = useFactorsChanged()
  const report = useReportProblem()
  const { id, name, createdAt, lastUsedAt } = passkey
  const now = new Date()
  const when = (time: string) => format.relativeTime(new Date(time), now)
  const rename = async (): Promise<void> => {
    const next = await ask(NamePrompt, { name })
    if (next === undefined || next === name) return
    await client.call(renamePasskey, { params: { id }, body: { name: next } }).catch(report)
    await changed()
  }
  const remove = async (): Promise<void> => {
    const removed = await confirmed({
      title: t('security.removePasskey', { name }),
      text: t('security.removePasskeyText'),
      label: t('security.remove'),
      danger: true,
      always: true,
      send: async (body) => await client.call(removePasskey, { params: { id }, body }).catch(ignoreGone),
    })
    if (removed !== undefined) await changed()
  }
  return (
    <li className={devices['row']} aria-label={name}>
      <span className={devices['disc']}>
        <Icon name="passkey" size={20} />
      </span>
      <div className="grow">
        <p className="strong clip" title={name}>
          <bdi>{name}</bdi>
        </p>
        <p className="tiny subtle">
          <time dateTime={createdAt} title={format.dateTime(new Date(createdAt))}>
            {t('security.added', { when: when(createdAt) })}
          </time>
          {' · '}
          {lastUsedAt === undefined ? (
            t('tokens.unused')
          ) : (
            <time dateTime={lastUsedAt} title={format.dateTime(new Date(lastUsedAt))}>
              {t('tokens.used', { when: when(lastUsedAt) })}
            </time>
          )}
        </p>
      </div>
      <div className={styles['acts']}>
        <IconButton icon="rename" label={t('security.renamePasskey', { name })} onClick={() => void rename()} />
        <IconButton icon="trash" label={t('security.removePasskey', { name })} onClick={() => void remove()} />
      </div>
    </li>
  )
}
