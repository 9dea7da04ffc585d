import { type RefObject, useEffect, useRef, useState } from 'react'
import { beginTotp, checkTotp, enableTotp, removeTotp } from '../../../../../src/api/accounts/factors.ts'
import type { FactorsView, NewTotp } from '../../../../../src/domain/accounts/factors.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client.ts'
import { useCopy } from '../../../files/share/share-links.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button, IconButton } from '../../../kit/button/button.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { Checkbox } from '../../../kit/fields/checkbox.tsx'
import { CODE_INPUT } from '../../../kit/fields/inputs.tsx'
import { TextField } from '../../../kit/fields/text-field.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import { SettingCard, SettingRow } from '../../../kit/page/settings.tsx'
import { QrCode } from '../../../kit/text/qr-code.tsx'
import { RecoveryCodeList } from './recovery-codes.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { useConfirmedFactor } from './use-confirmed-factor.ts'
import { useFactorsChanged, useReportProblem } from './use-factors.ts'
import styles from './security.module.css'

/** The authenticator app: its state, or the steps that set it up. */
export function AppCard({ view }: { readonly view: FactorsView }) {
  const t = useText()
  const format = useFormat()
  const client = useClient()
  const confirmed = useConfirmedFactor(view)
  const changed = useFactorsChanged()
  const [setup, setSetup] = useState<NewTotp>()
  const { totp } = view
  const begin = async (): Promise<void> => {
    const begun = await confirmed({
      title: t('security.app'),
      label: t('factor.continue'),
      send: async (body) => await client.call(beginTotp, { body }),
    })
    setSetup(begun?.value)
  }
  const remove = async (): Promise<void> => {
    const removed = await confirmed({
      title: t('security.removeApp'),
      text: t('security.removeAppText'),
      label: t('security.remove'),
      danger: true,
      always: true,
      send: async (body) => await client.call(removeTotp, { body }),
    })
    if (removed !== undefined) await changed()
  }
  if (setup !== undefined)
    return (
      <SettingCard title={t('security.app')} hint={t('security.appText')}>
        <AppSetup setup={setup} onEnd={() => setSetup(undefined)} />
      </SettingCard>
    )
  return (
    <SettingCard title={t('security.app')} hint={t('security.appText')}>
      <SettingRow
        label={t(totp === undefined ? 'security.appOff' : 'security.appOn')}
        hint={totp && t('security.added', { when: format.dateTime(new Date(totp.confirmedAt)) })}
      >
        <div className={classNames(styles['buttons'], styles['own'])}>
          <Button onClick={() => void begin()}>{t(totp === undefined ? 'security.setUp' : 'security.replace')}</Button>
          {totp && (
            <Button variant="danger-quiet" onClick={() => void remove()}>
              {t('security.remove')}
            </Button>
          )}
        </div>
      </SettingRow>
    </SettingCard>
  )
}

function AppSetup({ setup: { secret, uri }, onEnd }: { readonly setup: NewTotp; readonly onEnd: () => void }) {
  const t = useText()
  const client = useClient()
  const toasts = useToasts()
  const copy = useCopy()
  const changed = useFactorsChanged()
  const report = useReportProblem()
  const field = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [codes, setCodes] = useState<readonly string[]>()
  const [isWrong, setWrong] = useState(false)
  const [isKept, setKept] = useState(false)
  const [busy, setBusy] = useState(false)

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    if (busy) return
    setBusy(true)
    try {
      await work()
    } catch (error) {
      if (error instanceof ApiError && error.field === 'code') {
        setWrong(true)
        field.current?.select()
      } else report(error)
    } finally {
      setBusy(false)
    }
  }
  const check = async (): Promise<void> =>
    await attempt(async () => {
      setWrong(false)
      setCodes((await client.call(checkTotp, { body: { code } })).recoveryCodes)
    })
  const turnOn = async (): Promise<void> =>
    await attempt(async () => {
      await client.call(enableTotp, {})
      await changed()
      toasts.success(t('security.appOn'))
      onEnd()
    })

  const next = useRef<HTMLParagraphElement>(null)
  // The field that had the focus is disabled then.
  useEffect(() => {
    if (codes !== undefined) next.current?.focus()
  }, [codes])

  const isReady = codes !== undefined && (codes.length === 0 || isKept)
  return (
    <>
      <div className={styles['setup']}>
        <QrCode text={uri} label={t('security.scan')} size={148} />
        <div className={styles['steps']}>
          <Step number={1}>{t('security.scan')}</Step>
          <p className="small muted">{t('security.noCamera')}</p>
          <div className={styles['secret']}>
            <bdi dir="ltr" className="mono grow">
              {secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
            </bdi>
            <IconButton
              icon="copy"
              size="small"
              label={t('security.copyKey')}
              onClick={() => void copy({ text: secret, success: t('security.copied') })}
            />
          </div>
          <Step number={2}>{t('security.typeCode')}</Step>
          <form
            className={styles['check']}
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              void check()
            }}
          >
            <TextField
              ref={field}
              aria-label={t('security.typeCode')}
              {...CODE_INPUT}
              className={styles['code']}
              inputMode="numeric"
              autoComplete="one-time-code"
              autoFocus
              maxLength={7}
              value={code}
              disabled={codes !== undefined}
              error={isWrong && t('factor.wrongCode')}
              onChange={(event) => {
                setWrong(false)
                setCode(event.currentTarget.value)
              }}
            />
            {codes === undefined && (
              <Button type="submit" progress={busy ? 'busy' : 'idle'}>
                {t('security.check')}
              </Button>
            )}
            <span role="status" className={styles['right']}>
              {codes !== undefined && (
                <>
                  <Icon name="ok" size={16} />
                  {t('security.codeIsRight')}
                </>
              )}
            </span>
          </form>
        </div>
      </div>
      {codes !== undefined && codes.length > 0 && (
        <div className={styles['kept']}>
          <Step ref={next} number={3}>
            {t('security.keepCodes')}
          </Step>
          <RecoveryCodeList codes={codes} />
          <Checkbox checked={isKept} label={t('security.codesKept')} onChange={setKept} />
        </div>
      )}
      <div className={styles['foot']}>
        <Button variant="ghost" onClick={onEnd}>
          {t('files.cancel')}
        </Button>
        <Button disabled={!isReady} progress={busy && isReady ? 'busy' : 'idle'} onClick={() => void turnOn()}>
          {t('security.turnOn')}
        </Button>
      </div>
    </>
  )
}

interface StepProps {
  /** Makes it focusable. */
  readonly ref?: RefObject<HTMLParagraphElement | null>
  readonly number: number
  readonly children: string
}

function Step({ ref, number, children }: StepProps) {
  return (
    <p ref={ref} tabIndex={ref && -1} className={styles['step']}>
      <span aria-hidden="true">{number}</span>
      <b className="strong">{children}</b>
    </p>
  )
}
