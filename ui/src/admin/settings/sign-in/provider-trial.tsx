import { type ReactNode, useId, useState } from 'react'
import { testProvider } from '../../../../../src/api/accounts/providers.ts'
import type { ProviderTest, ProviderTestInput } from '../../../../../src/domain/accounts/provider-view.ts'
import { isRecord } from '../../../../../src/domain/schema/schema-tools.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client.ts'
import { problemOf, problemText } from '../../../common/problem-text.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { ErrorNote } from '../../../kit/feedback/note.tsx'
import { CODE_INPUT, TextArea } from '../../../kit/fields/inputs.tsx'
import { PasswordField, TextField } from '../../../kit/fields/text-field.tsx'
import styles from './providers.module.css'
import { TrialResult } from './trial-result.tsx'

/** Also shows what the claims of somebody would give. */
export function ClaimsTrial({ id }: { readonly id: string }) {
  const t = useText()
  const claimsId = useId()
  const [claims, setClaims] = useState('')
  const input = (): ProviderTestInput | string => {
    if (claims.trim() === '') return {}
    const record = recordIn(claims)
    return record === undefined ? t('providers.claimsInvalid') : { claims: record }
  }
  return (
    <Trial id={id} input={input}>
      <details>
        <summary>{t('providers.tryClaims')}</summary>
        <label className="visually-hidden" htmlFor={claimsId}>
          {t('providers.tryClaims')}
        </label>
        <TextArea
          {...CODE_INPUT}
          id={claimsId}
          rows={4}
          placeholder={'{"preferred_username": "anna", "groups": ["film-crew"]}'}
          value={claims}
          onChange={setClaims}
        />
      </details>
    </Trial>
  )
}

/** Also looks for somebody in the directory. */
export function PersonTrial({ id }: { readonly id: string }) {
  const t = useText()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const input = () => ({ ...(username !== '' && { username }), ...(password !== '' && { password }) })
  return (
    <Trial id={id} input={input}>
      <div className={styles['columns']}>
        <TextField
          label={t('directories.personName')}
          {...CODE_INPUT}
          value={username}
          onChange={({ currentTarget }) => setUsername(currentTarget.value)}
        />
        <PasswordField
          label={t('directories.personPassword')}
          autoComplete="off"
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
      </div>
    </Trial>
  )
}

interface TrialProps {
  readonly id: string
  /** A text says why there is none. */
  readonly input: () => ProviderTestInput | string
  readonly children: ReactNode
}

/** Tries the provider as it is saved, step by step. Nothing is changed. */
function Trial({ id, input, children }: TrialProps) {
  const t = useText()
  const client = useClient()
  const [result, setResult] = useState<ProviderTest>()
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const run = async (): Promise<void> => {
    const body = input()
    setProblem(typeof body === 'string' ? body : '')
    if (typeof body === 'string') return
    setBusy(true)
    try {
      setResult(await client.call(testProvider, { params: { id }, body }))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setProblem(problemText(t, problemOf(error)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={styles['trial']}>
      {children}
      <ErrorNote>{problem}</ErrorNote>
      <div role="status">{result && <TrialResult {...result} />}</div>
      <div>
        <Button icon="play" progress={busy ? 'busy' : 'idle'} onClick={() => void run()}>
          {t('hooks.test')}
        </Button>
      </div>
    </div>
  )
}

function recordIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
