/** Characters of a URL path segment that stay as they are; the rest is written as UTF-8 bytes in upper-case hex. */
const ALSO_ENCODED = /[!'()*,]/g
const KEPT = /%(?:24|26|2B|3A|3D|40)/g

/**
 * Content-Disposition with the name as an RFC 8187 value only. Clients of the original compare it; every browser in use
 * reads it, and without a second, quoted form there is nothing to inject a quote into.
 */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const encoded = encodeURIComponent(name.toWellFormed())
    .replace(KEPT, decodeURIComponent)
    .replace(ALSO_ENCODED, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename*=utf-8''${encoded}`
}
