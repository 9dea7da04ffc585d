import { useCallback, useEffect, useRef, useState } from 'react'
import { useLingui } from '@lingui/react'
import { useConfig } from '../api/config.tsx'
import { type CaptchaService, loadCaptcha } from './captcha-script.ts'

export interface Captcha {
  readonly status: 'loading' | 'ready' | 'missing'
  /** Where it is drawn. */
  readonly place: (element: HTMLDivElement | null) => void
  /** "" until it is solved. */
  response(): string
  /** Asks anew: an answer is good for one try. */
  reset(): void
  retry(): void
}

interface Widget {
  service: CaptchaService
  id: number
}

/** Narrower than this the service has another shape, in pixels. */
const USUAL_WIDTH = 304

/** The captcha of the start-up configuration; undefined where there is none, and nobody is asked for anything then. */
export function useCaptcha(): Captcha | undefined {
  const { ReCaptcha, ReCaptchaHost: host, ReCaptchaKey: key } = useConfig()
  const { locale } = useLingui().i18n
  const widget = useRef<Widget>(undefined)
  const [place, setPlace] = useState<HTMLDivElement | null>(null)
  const [attempt, setAttempt] = useState(0)
  const [status, setStatus] = useState<Captcha['status']>('loading')

  useEffect(() => {
    if (!ReCaptcha || host === undefined || key === undefined || place === null) return
    const ended = new AbortController()
    const frame = document.createElement('div')
    place.append(frame)
    loadCaptcha(host, locale, ended.signal).then(
      (service) => {
        if (ended.signal.aborted) return
        const size = place.clientWidth < USUAL_WIDTH ? 'compact' : 'normal'
        widget.current = { service, id: service.render(frame, { sitekey: key, theme: usedScheme(), size }) }
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
  }, [ReCaptcha, host, key, locale, place, attempt])

  const retry = useCallback(() => {
    setStatus('loading')
    setAttempt((count) => count + 1)
  }, [])
  if (!ReCaptcha) return undefined
  return {
    status,
    place: setPlace,
    response: () => widget.current?.service.getResponse(widget.current.id) ?? '',
    reset: () => widget.current?.service.reset(widget.current.id),
    retry,
  }
}

function usedScheme(): 'light' | 'dark' {
  const { classList } = document.documentElement
  if (classList.contains('dark') || classList.contains('light')) return classList.contains('dark') ? 'dark' : 'light'
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
