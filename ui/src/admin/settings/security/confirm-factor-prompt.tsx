import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { askToConfirm } from '../../../../../src/api/accounts/factors.ts'
import type { FactorsView } from '../../../../../src/domain/accounts/factors.ts'
import type { Confirmation } from '../../../../../src/domain/accounts/passkey-messages.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client.ts'
import { ConfirmDialog, CurrentPasswordField } from '../../../common/confirm-prompt.tsx'
import { problemOf } from '../../../common/problem-text.ts'
import { Refusal } from '../../../common/refusal.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { CODE_INPUT } from '../../../kit/fields/inputs.tsx'
import { TextField } from '../../../kit/fields/text-field.tsx'
import { signWithPasskey } from '../../../api/passkeys.ts'

type Way = FactorsView['confirmsBy'][number]

interface ConfirmFactorQuestion {
  readonly title: string
  readonly text?: ReactNode
  readonly label: string
  readonly danger?: boolean
  readonly ways: readonly Way[]
  /** @throws ApiError */
  readonly send: (proof: Confirmation) => Promise<unknown>
}

const WAY_LABELS = {
  password: 'security.byPassword',
  totp: 'factor.useCode',
  passkey: 'login.passkey',
  recovery: 'factor.useRecovery',
} as const

/** Asks for the password or a factor before a change of the factors. */
export function ConfirmFactorPrompt(props: ConfirmFactorQuestion & PromptProps<true>) {
  const { title, text, label, danger = false, ways, send, close } = props
  const t = useText()
  const client = useClient()
  const [way, setWay] = useState<Way | undefined>(ways[0])
  const [typed, setTyped] = useState('')
  const attempt = useMutation({
    mutationFn: async () => await send(await proof()),
    onSuccess: () => close(true),
  })
  const proof = async (): Promise<Confirmation> => {
    if (way === 'password') return { current_password: typed }
    if (way === 'totp') return { code: typed }
    if (way === 'recovery') return { recovery: typed }
    if (way === undefined) return {}
    return { passkey: await signWithPasskey(await client.call(askToConfirm, {})) }
  }
  const { error } = attempt
  const isWrong = error instanceof ApiError && (error.field === 'current_password' || error.field === 'code')
  const isTyped = way === 'password' || way === 'totp' || way === 'recovery'
  const change = (next: string): void => {
    attempt.reset()
    setTyped(next)
  }
  return (
    <ConfirmDialog
      {...{ title, text, label, danger }}
      busy={attempt.isPending}
      complete={!isTyped || typed !== ''}
      hasInput={isTyped}
      problem={error !== null && !isWrong && <Problem error={error} />}
      onConfirm={() => attempt.mutate()}
      onClose={() => close()}
    >
      {way === 'password' && <CurrentPasswordField value={typed} wrong={isWrong} onChange={change} />}
      {(way === 'totp' || way === 'recovery') && (
        <TextField
          key={way}
          label={t(way === 'totp' ? 'factor.code' : 'factor.recoveryCode')}
          {...CODE_INPUT}
          {...(way === 'totp' && { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 7 })}
          value={typed}
          error={isWrong && t('factor.wrongCode')}
          onChange={(event) => change(event.currentTarget.value)}
        />
      )}
      {way === 'passkey' && <p role="status">{t('factor.passkeyText')}</p>}
      {ways.length > 1 && (
        <p className="small">
          {ways
            .filter((each) => each !== way)
            .map((each, index) => (
              <span key={each}>
                {index > 0 && ' · '}
                <button
                  type="button"
                  className="link touch"
                  onClick={() => {
                    change('')
                    setWay(each)
                  }}
                >
                  {t(WAY_LABELS[each])}
                </button>
              </span>
            ))}
        </p>
      )}
    </ConfirmDialog>
  )
}

/** What the browser throws is about the passkey. */
function Problem({ error }: { readonly error: Error }) {
  const t = useText()
  return error instanceof ApiError ? <Refusal problem={problemOf(error)} /> : t('factor.passkeyFailed')
}
