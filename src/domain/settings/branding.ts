import { Type, type Static } from 'typebox'
import { fail } from '../errors.ts'
import { parseVirtualPath, type VirtualPath } from '../files/virtual-path.ts'

/** A file of the branding folder: `custom.css`, or a picture in `img/`. */
export const BrandingFile = Type.Object({
  name: Type.String(),
  size: Type.Integer({ minimum: 0 }),
  /** RFC 3339. */
  modified: Type.String(),
})
export type BrandingFile = Static<typeof BrandingFile>

export const STYLES = 'custom.css'
export const LOGO = 'img/logo.svg'
const PICTURE = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}(\.[A-Za-z0-9_-]{1,16}){0,3}\.(svg|png|jpg|jpeg|gif|webp|avif|ico)$/

/** Bytes at most. */
const LARGEST_STYLES = 256 * 1024
export const LARGEST_PICTURE = 2 * 1024 * 1024
/** Pictures at most, of those that are uploaded. */
export const MOST_PICTURES = 64

/** The address of a branding file below `/static/` as a path in the branding folder; undefined for any other. */
export function brandingPath(address: string): VirtualPath | undefined {
  if (address === STYLES) return parseVirtualPath(STYLES)
  const [folder, name, ...rest] = address.split('/')
  const isPicture = folder === 'img' && name !== undefined && rest.length === 0 && PICTURE.test(name)
  return isPicture ? parseVirtualPath(`img/${name}`) : undefined
}

/** Where a file of this name belongs. @throws INVALID_INPUT naming what would be right */
export function brandingPathOf(name: string): VirtualPath {
  const path = brandingPath(name) ?? brandingPath(`img/${name}`)
  const right = 'custom.css, or a picture such as logo.svg: letters, digits, "-" and "_", ending in'
  return (
    path ??
    fail('INVALID_INPUT', `not a branding file: take ${right} svg, png, jpg, gif, webp, avif or ico`, { field: 'name' })
  )
}

/** Bytes that a branding file may have. */
export function largestOf(path: VirtualPath): number {
  return path === `/${STYLES}` ? LARGEST_STYLES : LARGEST_PICTURE
}
