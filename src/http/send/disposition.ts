import { decomposed, plainLetters } from '../../domain/text/fold.ts'
import { mediaTypeOf, sniff } from '../../domain/files/media/media-type.ts'

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

/** The type of a file that is to be saved. */
export const BYTES = 'application/octet-stream'

/** Types that cannot contain scripts. */
const HARMLESS = /^(image\/(png|jpeg|gif|webp|avif)|audio\/.*|video\/.*|application\/pdf|text\/plain)$/
const SCRIPT = /(java|ecma|live|j)script$/

const UNRESTRICTED = "script-src 'none'; frame-ancestors 'self'"
/** Others get an opaque origin and no scripts: an uploaded SVG or page could otherwise act as its viewer (CVE-2021-37794). */
const SANDBOXED =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; frame-ancestors 'self'"

/** The Content-Type, by name or else by the first bytes, and the policy for displaying a user's file. */
export function inlineContent(name: string, head: Uint8Array, mediaType = mediaTypeOf(name)) {
  const known = mediaType ?? sniff(head)
  const essence = known.split(';')[0]?.trim() ?? known
  // Never a script type: our own page could be made to load the file as a script.
  const type = SCRIPT.test(essence) ? 'text/plain' : essence
  const isHarmless = HARMLESS.test(type)
  return {
    type: type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    policy: isHarmless ? UNRESTRICTED : SANDBOXED,
    /** The policy only forbids what the type does not contain anyway. */
    isHarmless,
  }
}
