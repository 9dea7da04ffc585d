import { expect, it } from 'vitest'
import { brandTokens, contrast } from '../../../../src/domain/settings/brand-colors.ts'

type Rgb = [number, number, number]

const rgb = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb
const DIGITS = Array.from({ length: 16 }, (_, digit) => digit.toString(16))
/** 4096 colours, evenly spread. */
const COLOURS = DIGITS.flatMap((r) => DIGITS.flatMap((g) => DIGITS.map((b) => `#${r}${g}${b}`)))

/** The shades in a theme: 0 is light, 1 is dark. */
function shades(color: string, theme: 0 | 1) {
  const tokens = brandTokens(color)
  if (tokens === undefined) throw new Error(`${color} is no colour`)
  const of = (name: keyof typeof tokens) => rgb(/\((#\w{6}), (#\w{6})\)/.exec(tokens[name])?.[theme + 1] ?? '')
  return {
    accent: of('--brand-accent'),
    hover: of('--brand-accent-hover'),
    onAccent: of('--brand-on-accent'),
    selected: [of('--brand-selected'), of('--brand-selected-hover')] as const,
    onSelected: of('--brand-on-selected'),
  }
}

it.each([
  [0, ['#ffffff', '#f7f8fa', '#eef1f5'], '#4b5768'],
  [1, ['#171d26', '#0f141b', '#1f2733'], '#b4bfce'],
] as const)('every brand colour gives readable shades, theme %i', (theme, surfaces, muted) => {
  const weakest = (shade: Rgb, ...others: Rgb[]) => Math.min(...others.map((other) => contrast(shade, other)))
  const unreadable = COLOURS.filter((color) => {
    const { accent, hover, onAccent, selected, onSelected } = shades(color, theme)
    const backgrounds = [...surfaces.map(rgb), onAccent]
    const inText = Math.min(weakest(accent, ...backgrounds), weakest(hover, ...backgrounds))
    const inRows = Math.min(weakest(onSelected, ...selected), weakest(rgb(muted), ...selected))
    return inText < 4.5 || inRows < 4.5 || weakest(accent, ...selected) < 3
  })
  expect(unreadable).toEqual([])
})

it('a brand colour is used unchanged where it is readable', () => {
  expect(brandTokens('#1558d6')?.['--brand-accent']).toMatch(/^light-dark\(#1558d6, #/)
  expect(brandTokens('#8AB4FF')?.['--brand-accent']).toMatch(/, #8ab4ff\)$/)
})

it('accepts short forms, and ignores transparency', () => {
  expect(brandTokens('#15d')).toEqual(brandTokens('#1155dd'))
  expect(brandTokens('#15d8')).toEqual(brandTokens('#1155dd80'))
  for (const wrong of ['', 'blue', '#12', '#12345', '#gggggg']) expect(brandTokens(wrong)).toBeUndefined()
})
