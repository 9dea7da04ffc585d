import { mediaTypeOf, sniff } from '../../domain/files/media/media-type.ts'

/** The type of a file that is to be saved. */
export const BYTES = 'application/octet-stream'

/** Types that cannot contain scripts. */
const HARMLESS = /^(image\/(png|jpeg|gif|webp|avif)|audio\/.*|video\/.*|application\/pdf|text\/plain)$/
const SCRIPT = /(java|ecma|live|j)script$/

const UNRESTRICTED = "script-src 'none'; frame-ancestors 'self'"
/** Others get an opaque origin and no scripts: an uploaded SVG or page could otherwise act as its viewer (CVE-2021-37794). */
const SANDBOXED =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; frame-ancestors 'self'"

interface InlineContent {
  readonly type: string
  readonly policy: string
  /** The policy only forbids what the type does not contain anyway. */
  readonly isHarmless: boolean
}

/** The Content-Type, by name or else by the first bytes, and the policy for displaying a user's file. */
export function inlineContent(name: string, head: Uint8Array, mediaType = mediaTypeOf(name)): InlineContent {
  const known = mediaType ?? sniff(head)
  const essence = known.split(';')[0]?.trim() ?? known
  // Never a script type: our own page could be made to load the file as a script.
  const type = SCRIPT.test(essence) ? 'text/plain' : essence
  const isHarmless = HARMLESS.test(type)
  return {
    type: type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    policy: isHarmless ? UNRESTRICTED : SANDBOXED,
    isHarmless,
  }
}
