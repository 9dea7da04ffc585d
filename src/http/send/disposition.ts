/** Escaped by the original, but not by `encodeURIComponent`. */
const EXTRA_ENCODED = /[!'()*,]/g
/** Escaped by `encodeURIComponent`, but not by the original. */
const UNENCODED = /%(?:24|26|2B|3A|3D|40)/g

/**
 * Content-Disposition with the name only in the RFC 8187 form, which clients of the original compare and all current browsers
 * read. Without the quoted form, a name cannot inject quotes or line breaks into the header.
 */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const encoded = encodeURIComponent(name.toWellFormed())
    .replace(UNENCODED, decodeURIComponent)
    .replace(EXTRA_ENCODED, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename*=utf-8''${encoded}`
}
