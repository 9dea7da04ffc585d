import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { getResource } from '../../../src/api/files.ts'
import { health } from '../../../src/api/server.ts'
import { ApiError } from '../api/api-error.ts'
import { useClient } from '../api/client-context.tsx'
import { useConfig } from '../api/config.tsx'
import { useSession } from '../api/session-context.tsx'
import { useText } from '../i18n/use-text.tsx'
import { AppLink } from '../kit/button/app-link.tsx'
import { Button, buttonClass } from '../kit/button/button.tsx'
import { Icon } from '../kit/icon/icon.tsx'
import { filesHref, lastSegment, parentFolder } from '../lib/app-path.ts'
import { useFilesPath } from '../lib/navigation.tsx'
import { ErrorScreen } from './error-screen.tsx'

const ASK_AGAIN_AFTER = 5000

/** Shown in place of a screen that threw: an `ApiError` by its status, anything else as an internal error. */
export function RouteError({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const known = error instanceof ApiError ? error : undefined
  useReturn(known?.status === 0, onRetry)
  // Signed out: the login page is on its way.
  if (known?.status === 401) return null
  return (
    <ErrorScreen status={known?.status ?? 500} requestId={known?.requestId} onRetry={onRetry} home="/files/">
      {known?.status === 403 && <SignInAsOther />}
      {known?.status === 404 && <GoToParent />}
    </ErrorScreen>
  )
}

/** Calls back when the server can be reached again: the network tells, and a server that restarts is asked for. */
function useReturn(away: boolean, onReturn: () => void): void {
  const client = useClient()
  useEffect(() => {
    if (!away) return
    const timer = setInterval(() => void client.call(health, {}).then(onReturn, ignore), ASK_AGAIN_AFTER)
    addEventListener('online', onReturn)
    return () => {
      clearInterval(timer)
      removeEventListener('online', onReturn)
    }
  })
}

/** Still away: the next question will tell. */
function ignore(): void {
  return undefined
}

function SignInAsOther() {
  const t = useText()
  const session = useSession()
  const { LoginPage } = useConfig()
  if (!LoginPage) return null
  return (
    <Button variant="ghost" onClick={() => void session.signOut()}>
      {t('errors.signInAsOther')}
    </Button>
  )
}

/** The nearest folder that is still there. */
function GoToParent() {
  const t = useText()
  const client = useClient()
  const path = useFilesPath() ?? '/'
  const { data: parent = '/' } = useQuery({
    queryKey: ['nearest', path],
    queryFn: async ({ signal }) => {
      for (let folder = parentFolder(path); folder !== '/'; folder = parentFolder(folder)) {
        const found = await client.call(getResource, { params: { '*': folder }, signal }).catch(ignoreMissing)
        if (found?.isDir === true) return folder
      }
      return '/'
    },
    retry: false,
  })
  if (parent === '/') return null
  return (
    <AppLink to={filesHref(parent)} className={buttonClass({ variant: 'ghost' })}>
      <Icon name="arrow-left" size={16} flip />
      {t('errors.goToFolder', { name: lastSegment(parent) })}
    </AppLink>
  )
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error
}
