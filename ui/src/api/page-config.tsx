import { createContext, useContext, useEffect } from 'react'
import type { ClientConfig } from '../../../src/domain/settings/client-config.ts'

/** What the server wrote into the page. */
export function readConfig(page: Document): ClientConfig {
  const json = page.getElementById('filemgr-config')?.textContent ?? '{}'
  return { ...(import.meta.env.DEV && UNCONFIGURED), ...(JSON.parse(json) as ClientConfig) }
}

/** The page as the development server shows it, in front of a daemon with its defaults. */
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

const ConfigContext = createContext<ClientConfig | undefined>(undefined)

export const ConfigProvider = ConfigContext.Provider

export function useConfig(): ClientConfig {
  const config = useContext(ConfigContext)
  if (config === undefined) throw new Error('ConfigProvider is missing above this component')
  return config
}

/** The configured name of the product, else our own. */
export function useProductName(): string {
  return useConfig().Name || DEFAULT_PRODUCT_NAME
}

/** Where the logo of this installation is; `undefined` while it is ours. */
export function useLogo(): string | undefined {
  const { Logo, StaticURL } = useConfig()
  return Logo && `${StaticURL}/img/logo.svg`
}

/** Names the page: the screen (or the folder) first, then the product. */
export function usePageTitle(name: string | undefined): void {
  const product = useProductName()
  useEffect(() => {
    document.title = name ? `${name} · ${product}` : product
  }, [name, product])
}
