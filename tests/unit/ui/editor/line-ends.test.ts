import { describe, expect, it } from 'vitest'
import { joinLineEnds, splitLineEnds } from '../../../../ui/src/editor/saving/line-ends.ts'

describe('the line endings of a file', () => {
  it.each([
    ['a\r\nb\r\n', 'CRLF'],
    ['a\rb\r', 'CR'],
    ['a\nb', 'LF'],
    ['', 'LF'],
    ['a\r\nb\nc\r\n', 'mixed'],
  ])('of %j are %s', (source, lineEnd) => {
    expect(splitLineEnds(source)).toEqual({ text: source.replaceAll(/\r\n?/g, '\n'), lineEnd })
  })

  it('are those of the menu for each line', () => {
    expect(joinLineEnds('a\nb\n', 'CRLF', 'a\r\nb\n')).toBe('a\r\nb\r\n')
    expect(joinLineEnds('a\nb\n', 'LF', 'a\r\nb\r')).toBe('a\nb\n')
  })
})

describe('mixed line endings', () => {
  const SOURCE = 'one\r\ntwo\nthree\r\nfour\nfive\rsix\r\n'
  const edit = (change: (text: string) => string): string =>
    joinLineEnds(change(splitLineEnds(SOURCE).text), 'mixed', SOURCE)

  it.each<[string, (text: string) => string, string]>([
    ['nothing changes', (text) => text, SOURCE],
    ['a line is edited', (text) => text.replace('two', '2'), SOURCE.replace('two', '2')],
    ['the first and the last are edited', (text) => `x${text.replace('six', '6')}`, `x${SOURCE.replace('six', '6')}`],
    ['every line is edited', (text) => text.replaceAll(/^./gm, 'X'), SOURCE.replaceAll(/^./gm, 'X')],
    ['a line is added', (text) => text.replace('four\n', 'new\nfour\n'), SOURCE.replace('four\n', 'new\r\nfour\n')],
    ['a line is removed', (text) => text.replace('four\n', ''), SOURCE.replace('four\n', '')],
    ['lines are added at both ends', (text) => `0\n${text}7\n`, `0\r\n${SOURCE}7\r\n`],
    ['an edit and an addition', (text) => text.replace('two\n', '2\n2b\n').replace('five', '5'), ''],
    ['two lines change places', (text) => text.replace('two\nthree', 'three\ntwo'), ''],
  ])('stay if %s', (_what, change, expected) => {
    const result = edit(change)
    expect(result.replaceAll(/\r\n?/g, '\n')).toBe(change(splitLineEnds(SOURCE).text))
    if (expected !== '') expect(result).toBe(expected)
    else for (const line of ['one\r\n', 'four\n', 'six\r\n']) expect(result).toContain(line)
  })

  it('stay in a large file that repeats itself, in a moment', () => {
    const source = 'a\r\n\nb\n'.repeat(200_000)
    const { text } = splitLineEnds(source)
    expect(joinLineEnds(text, 'mixed', source)).toBe(source)
    expect(joinLineEnds(`x\n${text}y`, 'mixed', source)).toHaveLength(source.length + 'x\nx'.length)
    const unique = Array.from({ length: 200_000 }, (_, index) => `${index}${index % 3 === 0 ? '\r\n' : '\n'}`).join('')
    const changed = splitLineEnds(unique).text.replaceAll('9\n', '9\nnew\n')
    expect(joinLineEnds(changed, 'mixed', unique).replaceAll('9\r\nnew\n', '9\r\n').replaceAll('9\nnew\n', '9\n')).toBe(
      unique,
    )
  })
})
