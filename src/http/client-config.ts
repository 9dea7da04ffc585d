import type { Context } from '../context.ts'
import type { ClientConfig } from '../domain/client-config.ts'
import { baseOf } from './base-url.ts'

/** What the page may know before anybody has signed in. `cookieSession`: its request came with a good cookie. */
export function clientConfigOf({ options, version, store }: Context, cookieSession: boolean): ClientConfig {
  const { settings } = store.snapshot()
  const { branding } = settings
  const base = baseOf(options)
  const authMethod = options.noAuth ? 'noauth' : settings.authMethod
  return {
    AuthMethod: authMethod,
    BaseURL: base,
    CSS: false,
    Color: branding.color,
    ...(cookieSession && { CookieSession: true as const }),
    DisableExternal: branding.disableExternal,
    DisableUsedPercentage: branding.disableUsedPercentage,
    EnableExec: options.enableExec,
    EnableThumbs: !options.disableThumbnails,
    HideLoginButton: settings.hideLoginButton,
    LoginPage: authMethod === 'json' || authMethod === 'hook',
    LogoutPage: settings.logoutPage,
    Name: branding.name,
    NoAuth: authMethod === 'noauth',
    ReCaptcha: false,
    ResizePreview: !options.disablePreviewResize,
    Signup: settings.signup,
    StaticURL: `${base}/static`,
    Theme: branding.theme,
    TusSettings: { chunkSize: settings.tus.chunkSize, retryCount: settings.tus.retryCount },
    Version: version,
  }
}
