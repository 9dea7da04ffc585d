import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { useConfig } from '../api/page-config.tsx'
import { useText, useLocale } from '../i18n/use-text.tsx'
import { Button } from '../kit/button/button.tsx'
import { Note } from '../kit/feedback/note.tsx'
import { Spinner } from '../kit/feedback/progress.tsx'
import styles from './login-page.module.css'

/** The captcha, or a retry button when it does not load. */
export function CaptchaField({ captcha }: { captcha: Captcha }) {
  const t = useText()
  const labelId = useId()
  return (
    <div className={styles['captcha']} role="group" aria-labelledby={labelId}>
      <span id={labelId}>{t('login.captcha')}</span>
      {captcha.status === 'loading' && (
        <span className={styles['loading']} role="status">
          <Spinner size={16} />
          {t('login.captchaLoading')}
        </span>
      )}
      {captcha.status === 'missing' && (
        <Note icon="error" tone="danger" role="alert">
          {t('login.captchaMissing')}
          <Button size="small" icon="retry" onClick={captcha.retry}>
            {t('errors.retry')}
          </Button>
        </Note>
      )}
      <div ref={captcha.host} className={styles['widget']} />
    </div>
  )
}

export interface Captcha {
  readonly status: 'loading' | 'ready' | 'missing'
  /** Ref of the element to draw it in. */
  readonly host: (element: HTMLDivElement | null) => void
  /** "" until it is solved. */
  response(): string
  /** Starts over: a response is valid for one attempt. */
  reset(): void
  retry(): void
}

interface Widget {
  service: CaptchaService
  id: number
}

/** Width of the normal widget in pixels; narrower screens get the compact one. */
const NORMAL_WIDTH = 304

/** The captcha of the server options; undefined if none is configured. */
export function useCaptcha(): Captcha | undefined {
  const { ReCaptcha, ReCaptchaHost: origin, ReCaptchaKey: key } = useConfig()
  const locale = useLocale()
  const widget = useRef<Widget>(undefined)
  const [host, setHost] = useState<HTMLDivElement | null>(null)
  const [attempt, setAttempt] = useState(0)
  const [status, setStatus] = useState<Captcha['status']>('loading')

  useEffect(() => {
    if (!ReCaptcha || origin === undefined || key === undefined || host === null) return
    const ended = new AbortController()
    const frame = document.createElement('div')
    host.append(frame)
    loadCaptcha(origin, locale, ended.signal).then(
      (service) => {
        if (ended.signal.aborted) return
        const size = host.clientWidth < NORMAL_WIDTH ? 'compact' : 'normal'
        widget.current = { service, id: service.render(frame, { sitekey: key, theme: colorScheme(), size }) }
        setStatus('ready')
      },
      () => {
        if (!ended.signal.aborted) setStatus('missing')
      },
    )
    return () => {
      ended.abort()
      frame.remove()
      widget.current = undefined
    }
  }, [ReCaptcha, origin, key, locale, host, attempt])

  const retry = useCallback(() => {
    setStatus('loading')
    setAttempt((count) => count + 1)
  }, [])
  if (!ReCaptcha) return undefined
  return {
    status,
    host: setHost,
    response: () => widget.current?.service.getResponse(widget.current.id) ?? '',
    reset: () => widget.current?.service.reset(widget.current.id),
    retry,
  }
}

function colorScheme(): 'light' | 'dark' {
  const { classList } = document.documentElement
  if (classList.contains('dark') || classList.contains('light')) return classList.contains('dark') ? 'dark' : 'light'
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** The API that the captcha script adds to the page. */
interface CaptchaService {
  render(container: HTMLElement, options: CaptchaOptions): number
  /** "" until it is solved. */
  getResponse(widget: number): string
  reset(widget: number): void
}

interface CaptchaOptions {
  sitekey: string
  theme: 'light' | 'dark'
  size: 'normal' | 'compact'
}

declare global {
  interface Window {
    grecaptcha?: Partial<CaptchaService>
  }
}

const POLL_INTERVAL = 100

/**
 * Loads the script of the captcha service once and polls until it is ready, since it fires no event.
 *
 * @param origin of the service, the only foreign one that the content security policy allows
 * @throws Error when the script cannot be loaded
 */
async function loadCaptcha(origin: string, locale: string, signal: AbortSignal): Promise<CaptchaService> {
  const { promise, resolve, reject } = Promise.withResolvers<CaptchaService>()
  const script = document.createElement('script')
  script.src = `${origin}/recaptcha/api.js?render=explicit&hl=${encodeURIComponent(locale)}`
  script.addEventListener('error', () => reject(new Error('the captcha script could not be loaded')))
  const check = () => {
    const service = window.grecaptcha
    if (isReady(service)) resolve(service)
  }
  check()
  const timer = setInterval(check, POLL_INTERVAL)
  signal.addEventListener('abort', () => reject(new Error('the captcha was closed')))
  if (!isReady(window.grecaptcha)) document.head.append(script)
  return await promise.finally(() => {
    clearInterval(timer)
    script.remove()
  })
}

function isReady(service: Partial<CaptchaService> | undefined): service is CaptchaService {
  return typeof service?.render === 'function'
}
