import type { ClientConfig } from '../../domain/settings/client-config.ts'
import { brandTokens } from '../../domain/settings/brand-colors.ts'

/** Name of the web app manifest below /static/. */
export const MANIFEST = 'manifest.webmanifest'

const CONFIG_ELEMENT = /(<script type="application\/json" id="filemgr-config">)[\s\S]*?(<\/script>)/

const NOSCRIPT = /<noscript>.*?<\/noscript>/s

const UNSAFE = /[<>&\u2028\u2029]/g

/** JSON that cannot end the script element it is in, whatever a branding name contains (XSS, CVE-2026-34530). */
export function escapedJson(value: unknown): string {
  return JSON.stringify(value).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Fills the built page with its configuration, title, base URL and style nonce. */
export function fillPage(html: string, config: ClientConfig, nonce: string, link?: LinkTags): string {
  const noscript = link?.noscript
  return html
    .replaceAll('="/static/', () => `="${escapedHtml(config.StaticURL)}/`)
    .replace(/<title>.*?<\/title>/s, () => `<title>${escapedHtml(productOf(config))}</title>`)
    .replace(' nonce=""', () => ` nonce="${nonce}"`)
    .replace('<html ', () => (config.Theme === '' ? '<html ' : `<html class="${escapedHtml(config.Theme)}" `))
    .replace('</head>', () => `${brandingTags(config, nonce)}${link?.head ?? ''}</head>`)
    .replace(NOSCRIPT, (whole) => (noscript === undefined ? whole : `<noscript>${noscript}</noscript>`))
    .replace(CONFIG_ELEMENT, (_whole, open: string, close: string) => `${open}${escapedJson(config)}${close}`)
}

/** The product name, which branding may change. */
export function productOf({ Name }: Pick<ClientConfig, 'Name'>): string {
  return Name === '' ? 'filemgr' : Name
}

/** Inserted after the page's styles, so that branding overrides them; custom.css comes last. */
function brandingTags({ CSS, Color, StaticURL }: ClientConfig, nonce: string): string {
  const colors = Object.entries(brandTokens(Color) ?? {}).map(([name, value]) => `${name}:${value}`)
  return [
    `<link rel="manifest" href="${escapedHtml(StaticURL)}/${MANIFEST}" />`,
    ...frameColors(Color),
    ...(colors.length === 0 ? [] : [`<style nonce="${nonce}">:root{${colors.join(';')}}</style>`]),
    ...(CSS ? [`<link rel="stylesheet" href="${escapedHtml(StaticURL)}/custom.css" />`] : []),
  ].join('')
}

/** The colour of the browser frame or the installed app's title bar; the page background by default. */
function frameColors(color: string): string[] {
  if (color !== '') return [`<meta name="theme-color" content="${escapedHtml(color)}" />`]
  return FRAMES.map(([scheme, shade]) => {
    return `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${shade}" />`
  })
}

/** Same as `--bg` in ui/src/styles/tokens.css. */
const FRAMES = [
  ['light', '#f7f8fa'],
  ['dark', '#0f141b'],
] as const

/** Google's captcha loads its script from this host. */
const RECAPTCHA_SCRIPTS = 'https://www.gstatic.com/recaptcha/'
const GOOGLE: readonly string[] = ['https://www.google.com', 'https://www.recaptcha.net', 'https://recaptcha.net']
/** The script of recaptcha.net goes on at www.recaptcha.net. */
const SECOND_HOST: Readonly<Record<string, string>> = { 'https://recaptcha.net': ' https://www.recaptcha.net' }

/**
 * The Content-Security-Policy of the page. No other foreign hosts are allowed.
 *
 * @param captcha origin of the captcha service
 * @param buckets origins to which files are sent
 */
export function pagePolicy(nonce: string, captcha?: string, buckets: readonly string[] = []): string {
  const host = captcha === undefined ? '' : ` ${captcha}${SECOND_HOST[captcha] ?? ''}`
  const scripts = captcha !== undefined && GOOGLE.includes(captcha) ? `${host} ${RECAPTCHA_SCRIPTS}` : host
  return [
    "default-src 'none'",
    `script-src 'self'${scripts}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    `connect-src ${["'self'", ...buckets].join(' ')}${host}`,
    "font-src 'self'",
    `frame-src 'self'${host}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' }

/** Escapes text for an element or a quoted attribute (XSS, GHSA-r633-fcgp-m532). */
export function escapedHtml(text: string): string {
  return text.replace(/[<>&"\u2028\u2029]/g, (character) => ESCAPES[character] ?? `&#${character.charCodeAt(0)};`)
}

export interface LinkTags {
  /** For the head of the page. */
  readonly head: string
  /** For browsers without scripts; undefined keeps the built text. */
  readonly noscript: string | undefined
}
