import type { Context } from '../../context.ts'
import type { AuthMethod } from '../../domain/accounts/auth-method.ts'
import type { ClientConfig } from '../../domain/settings/client-config.ts'
import type { Maintenance } from '../../domain/server/maintenance.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import { baseOf, bucketOrigins } from '../../domain/server/server-options.ts'

/** Facts about one request for the page. */
export interface PageFacts {
  /** It has a valid session cookie. */
  readonly cookieSession: boolean
  /** The branding folder has a custom.css. */
  readonly hasStyles: boolean
  /** The branding folder has a logo. */
  readonly hasLogo: boolean
  /** The server can create thumbnails of videos, and of PDF documents. */
  readonly showsVideos: boolean
  readonly showsPdf: boolean
}

/** The public configuration of the page, sent before sign-in. */
export function clientConfigOf({ options, version, store, services }: Context, page: PageFacts): ClientConfig {
  const { settings, maintenance, providers } = store.snapshot()
  const { branding } = settings
  const base = baseOf(options)
  const origins = bucketOrigins(options)
  const authMethod = options.noAuth ? 'noauth' : settings.authMethod
  const offered = authMethod === 'noauth' ? [] : providers.filter(({ enabled }) => enabled)
  return {
    AuthMethod: authMethod,
    BaseURL: base,
    ...(origins.length > 0 && { BucketOrigins: origins }),
    CSS: page.hasStyles,
    Color: branding.color,
    ...(page.cookieSession && { CookieSession: true as const }),
    DisableExternal: branding.disableExternal,
    DisableUsedPercentage: branding.disableUsedPercentage,
    EnableExec: options.enableExec,
    EnableThumbs: !options.disableThumbnails,
    HideLoginButton: settings.hideLoginButton,
    ...(offered.length > 0 && settings.auth.hidePassword && { HidePassword: true as const }),
    LoginPage: authMethod === 'json' || authMethod === 'hook',
    ...(page.hasLogo && { Logo: true as const }),
    LogoutPage: settings.logoutPage,
    ...(maintenance !== undefined && { Maintenance: noticeOf(maintenance) }),
    Name: branding.name,
    NoAuth: authMethod === 'noauth',
    ...(services.auth.hasPasskeys() && { Passkeys: true as const }),
    ...(page.showsPdf && { PdfThumbs: true as const }),
    ...(offered.length > 0 && { Providers: offered.map(({ id, name, type }) => ({ id, name, type })) }),
    ...(URL.canParse(options.publicUrl) && { PublicURL: new URL(options.publicUrl).origin }),
    ...(options.recaptchaHosts.includes(settings.recaptcha.host) ? captchaOf(settings, authMethod) : NO_CAPTCHA),
    ResizePreview: !options.disablePreviewResize,
    Signup: settings.signup,
    StaticURL: `${base}/static`,
    Theme: branding.theme,
    TusSettings: { chunkSize: settings.tus.chunkSize, retryCount: settings.tus.retryCount },
    Version: version,
    ...(page.showsVideos && { VideoThumbs: true as const }),
  }
}

function noticeOf({ message, until }: Readonly<Maintenance>): NonNullable<ClientConfig['Maintenance']> {
  return { message, ...(until !== undefined && { until }) }
}

const NO_CAPTCHA = { ReCaptcha: false }

function captchaOf(
  { recaptcha: { host, key, secret } }: Readonly<Settings>,
  method: AuthMethod,
): Pick<ClientConfig, 'ReCaptcha' | 'ReCaptchaHost' | 'ReCaptchaKey'> {
  if (key === '' || secret === '') return NO_CAPTCHA
  return { ReCaptcha: method === 'json', ReCaptchaHost: host, ReCaptchaKey: key }
}
