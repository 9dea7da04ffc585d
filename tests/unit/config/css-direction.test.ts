import { describe, expect, it } from 'vitest'
import { physicalDirections } from '../../../tools/checks/css-direction.ts'

describe('the check of directions in styles', () => {
  it.each([
    'a { margin-left: 1px; }',
    'a { padding-right: 1px; }',
    'a{left:0}',
    'a { border-top-left-radius: 1px; }',
    'a { border-right-color: red; }',
    'a { text-align: left; }',
    'a { float: right; }',
  ])('refuses %s', (css) => {
    expect(physicalDirections(css)).toHaveLength(1)
  })

  it.each([
    'a { margin-inline-start: 1px; }',
    'a { inset-inline-end: 0; }',
    'a { text-align: start; }',
    '.left { color: red; }',
    'a { transition: left 1s; }',
    '/* margin-left: 1px; */',
    'a { left: 0; /* physical: the arrow of the player always points this way */ }',
  ])('accepts %s', (css) => {
    expect(physicalDirections(css)).toEqual([])
  })

  it('names the line', () => {
    expect(physicalDirections('/*\n\n*/\na {\n  left: 0;\n}')).toEqual([expect.stringMatching(/^5: "left"/)])
  })
})
