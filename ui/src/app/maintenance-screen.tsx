import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ClientConfig } from '../../../src/domain/settings/client-config.ts'
import { useConfig, useLogo, useProductName } from '../api/page-config.tsx'
import { useLockedOut } from '../api/own-account.ts'
import { useSession, useUser } from '../api/session.ts'
import { UploadsContext } from '../files/uploads/uploads-context.tsx'
import { useFormat } from '../i18n/use-format.ts'
import { useText } from '../i18n/use-text.tsx'
import { AppLink, Button, buttonClass } from '../kit/button/button.tsx'
import { Logo } from '../kit/icon/icon.tsx'
import { useLocation } from '../lib/navigation/navigation.tsx'
import styles from './maintenance-screen.module.css'
import { refreshConfig } from './refresh-config.ts'
import { useServices } from './services.ts'

interface MaintenanceScreenProps {
  /** Undefined once maintenance has ended. */
  readonly notice: ClientConfig['Maintenance']
  /** The page, if it was opened during maintenance. */
  readonly children: ReactNode
}

/** Shows the notice, except to administrators and on the login page. */
export function MaintenanceScreen({ notice, children }: MaintenanceScreenProps) {
  const { pathname } = useLocation()
  const isLockedOut = useLockedOut()
  // Links are closed for everyone.
  const isVisit = pathname.startsWith('/share/')
  const isClosed = notice !== undefined && pathname !== '/login' && (isVisit || isLockedOut)
  const [wasOpen, setWasOpen] = useState(!isClosed)
  if (!isClosed && !wasOpen) setWasOpen(true)
  return (
    <>
      {wasOpen && children}
      {isClosed && <FullNotice notice={notice} isFirst={!wasOpen && children !== undefined} />}
    </>
  )
}

interface FullNoticeProps {
  readonly notice: NonNullable<ClientConfig['Maintenance']>
  /** The page beneath the notice has not been started. */
  readonly isFirst: boolean
}

/** A full-screen notice that goes away when maintenance ends. */
function FullNotice({ notice, isFirst }: FullNoticeProps) {
  const t = useText()
  const format = useFormat()
  const product = useProductName()
  const logo = useLogo()
  const hasUploads = useContext(UploadsContext)?.isOpen() === true
  const { message, until } = notice
  const dialog = useModal()
  useTitle(t('maintenance.title'))
  useEnd(isFirst)
  return (
    <dialog ref={dialog} tabIndex={-1} className={styles['closed']} aria-labelledby="maintenance-title">
      <div className={styles['notice']}>
        <Logo picture={logo} size={56} />
        <p className="muted clip">{product}</p>
        <h1 id="maintenance-title">{t('maintenance.title')}</h1>
        {message !== '' && <p className={styles['message']}>{message}</p>}
        {until !== undefined && <p>{t('maintenance.until', { time: format.dateTime(new Date(until)) })}</p>}
        <p className="muted">
          {t('maintenance.text')} {hasUploads && t('maintenance.uploads')}
        </p>
        {/* Signing out must not lose what lies beneath. */}
        {isFirst && <SignIn />}
      </div>
    </dialog>
  )
}

/** Lets administrators sign in. Renders nothing if there is no login form. */
function SignIn() {
  const t = useText()
  const session = useSession()
  const user = useUser()
  const { LoginPage } = useConfig()
  if (!LoginPage) return null
  if (user === undefined)
    return (
      <AppLink to="/login" className={buttonClass({ variant: 'ghost' })}>
        {t('login.submit')}
      </AppLink>
    )
  return (
    <Button variant="ghost" onClick={() => void session.signOut()}>
      {t('errors.signInAsOther')}
    </Button>
  )
}

function useTitle(title: string): void {
  useEffect(() => {
    const before = document.title
    document.title = title
    return () => {
      document.title = before
    }
  }, [title])
}

/** Above all dialogs, with everything beneath inert. Escape does not close it. */
function useModal() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = dialog
    const show = (): void => {
      if (current?.isConnected !== true) return
      current.showModal()
      // Not the sign-in button, which few users need.
      current.focus()
    }
    show()
    current?.addEventListener('close', show)
    return () => {
      current?.removeEventListener('close', show)
      current?.close()
    }
  }, [])
  return dialog
}

/** Milliseconds between checks whether maintenance has ended. */
const CHECK_INTERVAL = 10_000

/** Refreshes the notice, and continues where the user was when maintenance has ended. */
function useEnd(isFirst: boolean): void {
  const services = useServices()
  const queries = useQueryClient()
  const check = useEffectEvent(async () => {
    await refreshConfig(services)
    if (services.config.get().Maintenance !== undefined) return
    // The page beneath has not been started.
    if (isFirst) {
      location.reload()
      return
    }
    // The live connection tries again at once.
    onlineManager.setOnline(true)
    await queries.invalidateQueries()
  })
  useEffect(() => {
    void check()
    const timer = setInterval(() => void check(), CHECK_INTERVAL)
    const checkNow = (): void => void check()
    // Timers of hidden pages run rarely.
    addEventListener('focus', checkNow)
    return () => {
      clearInterval(timer)
      removeEventListener('focus', checkNow)
    }
  }, [])
}
