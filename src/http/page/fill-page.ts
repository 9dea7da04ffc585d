import type { ClientConfig } from '../../domain/settings/client-config.ts'
import { brandTokens } from '../../domain/settings/brand-colors.ts'

/** Name of the web app manifest below /static/. */
export const MANIFEST = 'manifest.webmanifest'

const CONFIG_ELEMENT = /(<script type="application\/json" id="filemgr-config">)[\s\S]*?(<\/script>)/

const NOSCRIPT = /<noscript>.*?<\/noscript>/s

const UNSAFE = /[<>&\u2028\u2029]/g

/** JSON that stays text inside a script element, whatever a branding name contains (CVE-2026-34530). */
export function escapedJson(value: unknown): string {
  return JSON.stringify(value).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Fills the built page: its start values, its title, the base URL before its files and the nonce of its styles. */
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

/** How the product is called here. */
export function productOf({ Name }: Pick<ClientConfig, 'Name'>): string {
  return Name === '' ? 'filemgr' : Name
}

/** Behind the styles of the page, so that those of the branding win; its own style sheet is the last. */
function brandingTags({ CSS, Color, StaticURL }: ClientConfig, nonce: string): string {
  const colors = Object.entries(brandTokens(Color) ?? {}).map(([name, value]) => `${name}:${value}`)
  return [
    `<link rel="manifest" href="${escapedHtml(StaticURL)}/${MANIFEST}" />`,
    ...frameColors(Color),
    ...(colors.length === 0 ? [] : [`<style nonce="${nonce}">:root{${colors.join(';')}}</style>`]),
    ...(CSS ? [`<link rel="stylesheet" href="${escapedHtml(StaticURL)}/custom.css" />`] : []),
  ].join('')
}

/** The colour of the browser's frame, or of the installed app: the background colour by default. */
function frameColors(color: string): string[] {
  if (color !== '') return [`<meta name="theme-color" content="${escapedHtml(color)}" />`]
  return FRAMES.map(([scheme, shade]) => {
    return `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${shade}" />`
  })
}

/** As `--bg` in ui/src/styles/tokens.css. */
const FRAMES = [
  ['light', '#f7f8fa'],
  ['dark', '#0f141b'],
] as const

/** Loads the service's script, which comes from another host. */
const SCRIPTS_OF_GOOGLE = 'https://www.gstatic.com/recaptcha/'
const GOOGLE: readonly string[] = ['https://www.google.com', 'https://www.recaptcha.net']

/** @param captcha origin of the captcha service, if one is asked: the only host besides our own */
export function pagePolicy(nonce: string, captcha?: string): string {
  const host = captcha === undefined ? '' : ` ${captcha}`
  const scripts = captcha !== undefined && GOOGLE.includes(captcha) ? `${host} ${SCRIPTS_OF_GOOGLE}` : host
  return [
    "default-src 'none'",
    `script-src 'self'${scripts}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    `connect-src 'self'${host}`,
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

/** Text as it may stand in an element or in a quoted attribute (GHSA-r633-fcgp-m532). */
export function escapedHtml(text: string): string {
  return text.replace(/[<>&"\u2028\u2029]/g, (character) => ESCAPES[character] ?? `&#${character.charCodeAt(0)};`)
}

export interface LinkTags {
  /** For the head of the page. */
  readonly head: string
  /** For browsers without scripts; undefined keeps the built text. */
  readonly noscript: string | undefined
}
