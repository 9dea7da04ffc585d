import type { Locale } from '../../../src/domain/page-contract.ts'
import { shapeOf } from './message-shape.ts'
import { isSameIn } from './same-words.ts'
/** Words that only English has, among the languages of the page with Latin letters. */
const ENGLISH =
  /(?<![\p{L}-])(the|and|your|with|this|that|from|could|cannot|were|you|have|has|when|there|which)(?![\p{L}-])/iu

/** Languages that are not written in Latin letters. */
const OTHER_LETTERS: readonly Locale[] = ['ar', 'el', 'he', 'ja', 'ko', 'ru', 'uk', 'zh-cn', 'zh-tw']

/** Names and abbreviations that are the same in every language. */
const NAMES = new Set(
  'ace active add api ar back-channel bcrypt br brotli c caps case cidr claim claims cli client connect cr crlf csp css csv ctrl dev directory dn dns docker end enter esc exif fetch filemgr gib git gzip hd home hook hooks html http https id ip iso ito jpeg jpg json kib lan ldap lf linux lock lz4 mac macos markdown memberof metrics mib mm mp n8n oidc openid passkey passkeys passwd pdf pin png posix postgresql prometheus proxy pwa qr re2 recaptcha roots roots-in run s s3 scope scopes sensitive sha shift sign-in-hosts snappy sni sse ssh sso starttls svg syslog tab tar tcp tib tls tmp totp tus txt type udp umask unix url urls users utf utf-8 webdav webhook webhook-hosts webhookhosts webhooks webp windows xz zip zst'.split(
    ' ',
  ),
)

/** Untranslated texts: the same as in English, or with English words. */
export function englishWords(
  locale: Locale,
  english: Readonly<Record<string, string>>,
  texts: Readonly<Record<string, string>>,
): string[] {
  return Object.entries(texts)
    .filter(([id, text]) => text !== '' && id in english && isEnglish(locale, english[id] ?? '', text))
    .map(([id, text]) => `${id}: ${text}`)
}

function isEnglish(locale: Locale, english: string, text: string): boolean {
  const foreign = OTHER_LETTERS.includes(locale)
  const words = foreign
    ? wordsOf(text, /\p{Script=Latin}[\p{Script=Latin}\d-]+/gu)
    : wordsOf(text, /\p{L}[\p{L}\p{N}-]*/gu)
  const own = words.filter((word) => !NAMES.has(word.toLowerCase()) && !isSameIn(locale, word))
  return own.length > 0 && (foreign || text === english || ENGLISH.test(own.join(' ')))
}

function wordsOf(text: string, word: RegExp): string[] {
  return shapeOf(text).words.flatMap((part) => part.replace(/<\/?\d+>/g, ' ').match(word) ?? [])
}
