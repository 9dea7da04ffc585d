/** What the script of the service puts into the page. */
export interface CaptchaService {
  render(place: HTMLElement, options: CaptchaLook): number
  /** "" until it is solved. */
  getResponse(widget: number): string
  reset(widget: number): void
}

interface CaptchaLook {
  sitekey: string
  theme: 'light' | 'dark'
  size: 'normal' | 'compact'
}

declare global {
  interface Window {
    grecaptcha?: Partial<CaptchaService>
  }
}

const LOOK_EVERY = 100

/**
 * Fetches the script of the captcha service, if it is not there yet, and waits until it is ready: it says so by no event.
 * `host` is the origin in the configuration of the page, the only one that its policy lets in.
 *
 * @throws Error when the script does not come
 */
export async function loadCaptcha(host: string, locale: string, signal: AbortSignal): Promise<CaptchaService> {
  const { promise, resolve, reject } = Promise.withResolvers<CaptchaService>()
  const script = document.createElement('script')
  script.src = `${host}/recaptcha/api.js?render=explicit&hl=${encodeURIComponent(locale)}`
  script.addEventListener('error', () => reject(new Error('the script of the captcha service did not come')))
  const look = () => {
    const service = window.grecaptcha
    if (isReady(service)) resolve(service)
  }
  look()
  const looking = setInterval(look, LOOK_EVERY)
  signal.addEventListener('abort', () => reject(new Error('nobody waits for the captcha any more')))
  if (!isReady(window.grecaptcha)) document.head.append(script)
  return await promise.finally(() => {
    clearInterval(looking)
    script.remove()
  })
}

function isReady(service: Partial<CaptchaService> | undefined): service is CaptchaService {
  return typeof service?.render === 'function'
}
