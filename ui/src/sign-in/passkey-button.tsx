import { useState } from 'react'
import { useClient } from '../api/client.ts'
import { useConfig } from '../api/page-config.tsx'
import { useSession } from '../api/session.ts'
import { useText } from '../i18n/use-text.tsx'
import { Button } from '../kit/button/button.tsx'
import { ErrorNote } from '../kit/feedback/note.tsx'

/** Signs in with a passkey alone; nothing where nobody has one. */
export function PasskeyButton() {
  const t = useText()
  const { Passkeys } = useConfig()
  const client = useClient()
  const session = useSession()
  const [busy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  if (!Passkeys || !('PublicKeyCredential' in window)) return null

  const signIn = async (): Promise<void> => {
    if (busy) return
    setBusy(true)
    setFailed(false)
    try {
      await (await import('./passkey-sign-in.ts')).enterByPasskey(client, session)
    } catch {
      setFailed(true)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <ErrorNote>{hasFailed && t('login.passkeyFailed')}</ErrorNote>
      <Button size="large" block icon="passkey" progress={busy ? 'busy' : 'idle'} onClick={() => void signIn()}>
        {t('login.passkey')}
      </Button>
    </>
  )
}
