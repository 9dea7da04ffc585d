/** Red, green and blue from 0 to 255. */
type Rgb = readonly [number, number, number]

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]

/** Minimum contrast of text (WCAG 2.2, 1.4.3). */
const READABLE = 4.5
/** Minimum contrast of graphics such as focus rings (WCAG 2.2, 1.4.11). */
const VISIBLE = 3
const STEP = 0.02

interface Surfaces {
  /** The surface that makes the accent hardest to read. */
  readonly surface: Rgb
  /** Background of rows that are not selected. */
  readonly plain: Rgb
  /** The weakest text on a selected row. */
  readonly muted: Rgb
  /** Black or white, whichever contrasts with the surface. */
  readonly far: Rgb
  /** Text on the accent colour. */
  readonly onAccent: Rgb
  /** Maximum share of the accent in the background of a selected row. */
  readonly tint: number
}

const LIGHT: Surfaces = {
  surface: [238, 241, 245],
  plain: WHITE,
  muted: [75, 87, 104],
  far: BLACK,
  onAccent: WHITE,
  tint: 0.16,
}

const DARK: Surfaces = {
  surface: [31, 39, 51],
  plain: [23, 29, 38],
  muted: [180, 191, 206],
  far: WHITE,
  onAccent: [11, 15, 21],
  tint: 0.3,
}

/** The custom properties that ui/src/styles/tokens.css takes from the branding. */
export const BRAND_TOKENS = [
  '--brand-accent',
  '--brand-accent-hover',
  '--brand-on-accent',
  '--brand-selected',
  '--brand-selected-hover',
  '--brand-on-selected',
] as const

export type BrandTokens = Readonly<Record<(typeof BRAND_TOKENS)[number], string>>

/**
 * The page's colours derived from one accent colour, which is darkened on light surfaces and lightened on dark ones until
 * everything on it and in it is readable. Undefined if `color` is not a hex colour; its alpha is ignored.
 */
export function brandTokens(color: string): BrandTokens | undefined {
  const brand = rgbOf(color)
  if (brand === undefined) return undefined
  const [light, dark] = [shadesOf(brand, LIGHT), shadesOf(brand, DARK)]
  const entries = BRAND_TOKENS.map((name, index) => {
    return [name, `light-dark(${hexOf(light[index] ?? BLACK)}, ${hexOf(dark[index] ?? WHITE)})`]
  })
  return Object.fromEntries(entries) as BrandTokens
}

/** In the order of `BRAND_TOKENS`. */
function shadesOf(brand: Rgb, { surface, plain, muted, far, onAccent, tint }: Surfaces): Rgb[] {
  const accent = until(
    0,
    (share) => mix(brand, far, share),
    (shade) => contrast(shade, surface) >= READABLE,
  )
  const hover = mix(accent, far, 0.18)
  const isLegible = (row: Rgb) => contrast(muted, row) >= READABLE && contrast(accent, row) >= VISIBLE
  const strength = (max: number) => until(1 - max, (share) => mix(accent, plain, share), isLegible)
  const selectedHover = strength(tint + 0.05)
  const onSelected = until(
    0.5,
    (share) => mix(accent, far, share),
    (shade) => contrast(shade, selectedHover) >= 7,
  )
  return [accent, hover, onAccent, strength(tint), selectedHover, onSelected]
}

/** The first acceptable shade, with an increasing share of the other colour. */
function until(start: number, shadeAt: (share: number) => Rgb, isAcceptable: (shade: Rgb) => boolean): Rgb {
  for (let share = start; share < 1; share += STEP) {
    const shade = shadeAt(share)
    if (isAcceptable(shade)) return shade
  }
  return shadeAt(1)
}

function rgbOf(color: string): Rgb | undefined {
  const digits = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(color)?.[1]
  if (digits === undefined) return undefined
  const size = digits.length < 6 ? 1 : 2
  const part = (index: number): number => {
    const text = digits.slice(index * size, (index + 1) * size)
    return Number.parseInt(size === 1 ? text + text : text, 16)
  }
  return [part(0), part(1), part(2)]
}

function hexOf(color: Rgb): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** @param share of the other colour, 0 to 1 */
function mix([r, g, b]: Rgb, [otherR, otherG, otherB]: Rgb, share: number): Rgb {
  const part = (one: number, other: number) => Math.round(one + (other - one) * share)
  return [part(r, otherR), part(g, otherG), part(b, otherB)]
}

/** The contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

function luminance([r, g, b]: Rgb): number {
  const linear = (part: number) => (part <= 10.31475 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4)
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}
