import { useState } from 'react'
import { testProvider } from '../../../../../src/api/accounts/providers.ts'
import type { ProviderTest } from '../../../../../src/domain/accounts/provider-view.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client.ts'
import { problemOf, problemText } from '../../../common/problem-text.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { ErrorNote } from '../../../kit/feedback/note.tsx'
import { PasswordField, TextField } from '../../../kit/fields/text-field.tsx'
import { TrialResult } from './provider-trial.tsx'
import styles from './providers.module.css'

/** Tries the directory that is saved with somebody, step by step. Nothing is changed. */
export function DirectoryTrial({ id }: { readonly id: string }) {
  const t = useText()
  const client = useClient()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [result, setResult] = useState<ProviderTest>()
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const run = async (): Promise<void> => {
    setBusy(true)
    setProblem('')
    try {
      const person = { ...(username !== '' && { username }), ...(password !== '' && { password }) }
      setResult(await client.call(testProvider, { params: { id }, body: person }))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setProblem(problemText(t, problemOf(error)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={styles['trial']}>
      <div className={styles['columns']}>
        <TextField
          label={t('directories.personName')}
          dir="ltr"
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
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
