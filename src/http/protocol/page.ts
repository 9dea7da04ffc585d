import type { ClientConfig } from '../../domain/client-config.ts'

const CONFIG_ELEMENT = /(<script type="application\/json" id="filemgr-config">)[\s\S]*?(<\/script>)/

const UNSAFE = /[<>&\u2028\u2029]/g

/** JSON that stays text inside a script element, whatever a branding name contains (CVE-2026-34530). */
export function escapedJson(value: unknown): string {
  return JSON.stringify(value).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function escapedHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Fills the built page: its start values, its title, the base URL before its files and the nonce of its styles. */
export function fillPage(html: string, config: ClientConfig, nonce: string): string {
  const title = config.Name === '' ? 'filemgr' : config.Name
  return html
    .replaceAll('="/static/', () => `="${escapedHtml(config.StaticURL)}/`)
    .replace(/<title>.*?<\/title>/s, () => `<title>${escapedHtml(title)}</title>`)
    .replace(' nonce=""', () => ` nonce="${nonce}"`)
    .replace(CONFIG_ELEMENT, (_whole, open: string, close: string) => `${open}${escapedJson(config)}${close}`)
}

export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "frame-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
