import { useEffect } from 'react'
import type { ClientConfig } from '../../../src/domain/settings/client-config.ts'
import { requiredContext } from '../lib/hooks.ts'

/** Reads the configuration that the server embeds in the page. */
export function readConfig(page: Document): ClientConfig {
  const json = page.getElementById('filemgr-config')?.textContent ?? '{}'
  return { ...(import.meta.env.DEV && UNCONFIGURED), ...(JSON.parse(json) as ClientConfig) }
}

/** Used by the development server, which has a daemon with default settings behind it. */
const UNCONFIGURED: ClientConfig = {
  AuthMethod: 'json',
  BaseURL: '',
  CSS: false,
  Color: '',
  DisableExternal: false,
  DisableUsedPercentage: false,
  EnableExec: false,
  EnableThumbs: true,
  HideLoginButton: false,
  LoginPage: true,
  LogoutPage: '/login',
  Name: '',
  NoAuth: false,
  ReCaptcha: false,
  ResizePreview: true,
  Signup: false,
  StaticURL: '/static',
  Theme: '',
  TusSettings: { chunkSize: 10_485_760, retryCount: 5 },
  Version: '',
}

const DEFAULT_PRODUCT_NAME = 'filemgr'

export const [ConfigProvider, useConfig] = requiredContext<ClientConfig>('Config')

/** The configured product name, or the default. */
export function useProductName(): string {
  return useConfig().Name || DEFAULT_PRODUCT_NAME
}

/** URL of the custom logo; `undefined` for the default. */
export function useLogo(): string | undefined {
  const { Logo, StaticURL } = useConfig()
  return Logo && `${StaticURL}/img/logo.svg`
}

/** Sets the document title: the screen (or the folder) first, then the product. */
export function usePageTitle(name: string | undefined): void {
  const product = useProductName()
  useEffect(() => {
    document.title = name ? `${name} · ${product}` : product
  }, [name, product])
}
