import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { useSession, useSessionState } from '../api/session.ts'
import { useText } from '../i18n/use-text.tsx'
import { Button } from '../kit/button/button.tsx'
import { Dialog, DialogLead } from '../kit/dialog/dialog.tsx'
import { Note } from '../kit/feedback/note.tsx'
import type { PromptProps } from '../kit/dialog/prompt-stack.tsx'
import { WARN_BEFORE_END } from './create-session-watch.ts'

/** Counts down to the end of the session. Closing it with anything but "Sign out" keeps the user signed in. */
export function SessionEndPrompt({ close }: PromptProps<'stayed'>) {
  const t = useText()
  const session = useSession()
  const state = useSessionState()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<'files.noConnection' | 'session.cannotStay'>()
  const expiresAt = state.status === 'signed-in' ? state.expiresAt : 0
  const remaining = useMillisecondsTo(expiresAt)
  const isOver = state.status !== 'signed-in'
  const wasRenewed = !isOver && remaining > WARN_BEFORE_END
  const leave = useEffectEvent(() => close('stayed'))
  useEffect(() => {
    if (isOver || wasRenewed) leave()
  }, [isOver, wasRenewed])

  const stay = async (): Promise<void> => {
    if (busy) return
    setBusy(true)
    try {
      await session.renew()
      setProblem('session.cannotStay')
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setProblem('files.noConnection')
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      alert
      title={t('session.endingTitle')}
      onClose={() => void stay()}
      footer={
        <>
          <DialogLead>
            <Button variant="ghost" icon="logout" flipIcon onClick={() => void session.signOut()}>
              {t('shell.logout')}
            </Button>
          </DialogLead>
          <Button variant="primary" data-autofocus="" progress={busy ? 'busy' : 'idle'} onClick={() => void stay()}>
            {t('session.stay')}
          </Button>
        </>
      }
    >
      <p role="timer">{t('session.endingText', { seconds: Math.ceil(Math.max(remaining, 0) / 1000) })}</p>
      {problem && (
        <Note icon="alert" tone="warning" role="alert">
          {t(problem)}
        </Note>
      )}
    </Dialog>
  )
}

function useMillisecondsTo(time: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return time - now
}
