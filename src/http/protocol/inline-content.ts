import { mediaTypeOf, sniff } from '../../domain/media/media-type.ts'
/** Types that a browser shows without running anything of them. */
const HARMLESS = /^(image\/(png|jpeg|gif|webp|avif)|audio\/.*|video\/.*|application\/pdf|text\/plain)$/
const SCRIPT = /(java|ecma|live|j)script$/

const SHOWN_AS_IT_IS = "script-src 'none'; frame-ancestors 'self'"
/** Everything else gets an origin of its own and no scripts, or an uploaded SVG or page would act as its viewer (CVE-2021-37794). */
const SANDBOXED =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; frame-ancestors 'self'"

export interface InlineContent {
  readonly type: string
  readonly policy: string
}

/** How a user's file is shown in the browser: its type by our table, else by its first bytes, and what it may do. */
export function inlineContent(name: string, head: Uint8Array, mediaType = mediaTypeOf(name)): InlineContent {
  const known = mediaType ?? sniff(head)
  const essence = known.split(';')[0]?.trim() ?? known
  // Never a script type: our own page could be made to load the file as a script.
  const type = SCRIPT.test(essence) ? 'text/plain' : essence
  return {
    type: type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    policy: HARMLESS.test(type) ? SHOWN_AS_IT_IS : SANDBOXED,
  }
}
