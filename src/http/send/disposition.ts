import { decomposed, plainLetters } from '../../domain/text/fold.ts'

/** Escaped by the original, but not by `encodeURIComponent`. */
const EXTRA_ENCODED = /[!'()*,]/g
/** Escaped by `encodeURIComponent`, but not by the original. */
const UNENCODED = /%(?:24|26|2B|3A|3D|40)/g

/**
 * Content-Disposition with the name in two forms (RFC 6266): that of RFC 8187, which all current browsers read and clients of the
 * original compare, and plain text for the others, such as `curl -J`.
 */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const whole = name.toWellFormed()
  const encoded = encodeURIComponent(whole)
    .replace(UNENCODED, decodeURIComponent)
    .replace(EXTRA_ENCODED, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${plainName(whole)}"; filename*=utf-8''${encoded}`
}

/**
 * The name in ASCII, without accents. Replaces what clients misread between quotes: quotes and backslashes, which many take
 * for the end of the name or a folder, escapes of URLs, which some decode, and control characters, which could inject a header.
 */
function plainName(name: string): string {
  return decomposed(plainLetters(name))
    .replace(/\p{M}/gu, '')
    .replaceAll('"', "'")
    .replace(/%(?=[\da-fA-F]{2})|[^ -~]|[\\/]/gu, '_')
}
