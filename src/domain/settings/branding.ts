import { Type, type Static } from 'typebox'
import { fail } from '../errors.ts'
import { parseVirtualPath, type VirtualPath } from '../files/virtual-path.ts'

/** A file of the branding folder: `custom.css`, or an image in `img/`. */
export const BrandingFile = Type.Object({
  name: Type.String(),
  size: Type.Integer({ minimum: 0 }),
  /** RFC 3339. */
  modified: Type.String(),
})
export type BrandingFile = Static<typeof BrandingFile>

/** A branding file in a database, for all daemons. */
export const BrandingRecord = Type.Object({
  /** Its name, such as "img/logo.svg". */
  id: Type.String(),
  content: Type.String({ description: 'base64' }),
})
export type BrandingRecord = Static<typeof BrandingRecord>

export const STYLES = 'custom.css'
export const LOGO = 'img/logo.svg'
const PICTURE = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}(\.[A-Za-z0-9_-]{1,16}){0,3}\.(svg|png|jpg|jpeg|gif|webp|avif|ico)$/

const MAX_STYLES_BYTES = 256 * 1024
export const MAX_PICTURE_BYTES = 2 * 1024 * 1024
/** Limit for uploaded images. */
export const MAX_PICTURES = 64

/** Maps an address below `/static/` to a path in the branding folder; undefined unless it is a branding file. */
export function brandingPath(address: string): VirtualPath | undefined {
  if (address === STYLES) return parseVirtualPath(STYLES)
  const [folder, name, ...rest] = address.split('/')
  const isPicture = folder === 'img' && name !== undefined && rest.length === 0 && PICTURE.test(name)
  return isPicture ? parseVirtualPath(`img/${name}`) : undefined
}

/** The path for an uploaded file of this name. @throws INVALID_INPUT with the allowed names */
export function brandingPathOf(name: string): VirtualPath {
  const path = brandingPath(name) ?? brandingPath(`img/${name}`)
  const expected = 'custom.css, or a picture such as logo.svg: letters, digits, "-" and "_", ending in'
  return (
    path ??
    fail('INVALID_INPUT', `not a branding file: take ${expected} svg, png, jpg, gif, webp, avif or ico`, {
      field: 'name',
    })
  )
}

/** In bytes. */
export function maxSizeOf(path: VirtualPath): number {
  return path === `/${STYLES}` ? MAX_STYLES_BYTES : MAX_PICTURE_BYTES
}
