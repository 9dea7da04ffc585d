import { describe, expect, it } from 'vitest'
import { countMatches, isExpression, MAX_COUNTED } from '../../../../ui/src/editor/find/finder.ts'
import { moveSplit, splitAt } from '../../../../ui/src/editor/panes.tsx'
import { positionAt, progressOf } from '../../../../ui/src/editor/preview/markdown-preview.tsx'
import { isOutdated, readDraft } from '../../../../ui/src/editor/saving/drafts.ts'
import { readEditorSettings, withFontSize } from '../../../../ui/src/editor/editor-settings.ts'
import { parseLinePosition } from '../../../../ui/src/editor/prompts/line-prompt.tsx'

describe('a line to go to', () => {
  it.each([
    ['12', { line: 12, column: 1 }],
    [' 3:5 ', { line: 3, column: 5 }],
    ['3,5', { line: 3, column: 5 }],
    ['0', { line: 1, column: 1 }],
    ['999', { line: 40, column: 1 }],
  ])('is parsed from "%s", within the text', (text, position) => {
    expect(parseLinePosition(text, 40)).toEqual(position)
  })

  it.each(['', 'twelve', '1:', '-3', '1.5'])('is not parsed from "%s"', (text) => {
    expect(parseLinePosition(text, 40)).toBeUndefined()
  })
})

describe('search matches', () => {
  it('are counted, including the position of the current one', () => {
    expect(countMatches('dawn, dawn and dawn', /dawn/g, 6)).toEqual({ total: 3, index: 2 })
    expect(countMatches('dawn', /dusk/g, 0)).toEqual({ total: 0, index: 0 })
  })

  it('ignore empty matches', () => {
    expect(countMatches('abc', /x*/g, 0)).toEqual({ total: 0, index: 0 })
  })

  it('are counted up to a limit', () => {
    expect(countMatches('a'.repeat(MAX_COUNTED + 5), /a/g, 0).total).toBe(MAX_COUNTED)
  })

  it.each([
    ['a+', true],
    ['\\d{2,}', true],
    ['(', false],
    ['[z-a]', false],
  ])('accept the regular expression %s: %s', (pattern, right) => {
    expect(isExpression(pattern)).toBe(right)
  })
})

describe('a draft', () => {
  const draft = { text: 'a', etag: '"1"', keptAt: 1000, encoding: 'utf-8', lineEnd: 'LF' }

  it('is restored', () => {
    expect(readDraft(draft)).toEqual(draft)
    expect(readDraft({ ...draft, etag: null })).toEqual({ ...draft, etag: null })
  })

  it.each([
    undefined,
    null,
    'text',
    {},
    { ...draft, text: 1 },
    { ...draft, encoding: 'EBCDIC' },
    { ...draft, lineEnd: 'toString' },
  ])('is not restored from %j', (value) => {
    expect(readDraft(value)).toBeUndefined()
  })

  it('is kept for thirty days', () => {
    const day = 24 * 60 * 60 * 1000
    expect(isOutdated(readDraft(draft), draft.keptAt + 30 * day)).toBe(false)
    expect(isOutdated(readDraft(draft), draft.keptAt + 31 * day)).toBe(true)
  })
})

describe('the border between text and preview', () => {
  it('is moved by pointer and keys, in the direction of the page', () => {
    expect([splitAt(0.3, false), splitAt(0.3, true), splitAt(0.01, false), splitAt(1, false)]).toEqual([30, 70, 20, 80])
    expect(moveSplit(50, 'ArrowRight', false)).toBe(55)
    expect(moveSplit(50, 'ArrowRight', true)).toBe(45)
    expect(moveSplit(80, 'ArrowRight', false)).toBe(80)
    expect([moveSplit(50, 'Home', false), moveSplit(50, 'End', true)]).toEqual([20, 80])
    expect(moveSplit(50, 'a', false)).toBeUndefined()
  })

  it('scrolls both sides in proportion to their length', () => {
    expect(positionAt(progressOf(50, 100), 900)).toBe(450)
    expect(positionAt(progressOf(500, 100), 900)).toBe(900)
    expect([progressOf(10, 0), positionAt(1, -5)]).toEqual([0, 0])
  })
})

describe('the editor settings', () => {
  const kept = (value: string | null) => readEditorSettings({ getItem: () => value })

  it('start with 12 pixels, wrapped lines and a preview', () => {
    expect(kept(null)).toEqual({ fontSize: 12, wrap: true, preview: true })
  })

  it.each(['', 'no JSON', 'null', '[]', '{"fontSize":"huge","wrap":1}'])('are not restored from "%s"', (value) => {
    expect(kept(value)).toEqual({ fontSize: 12, wrap: true, preview: true })
  })

  it('have a font size of at least one pixel', () => {
    expect(kept('{"fontSize":-4}').fontSize).toBe(1)
    expect(withFontSize({ fontSize: 1, wrap: true, preview: false }, -1).fontSize).toBe(1)
    expect(withFontSize({ fontSize: 12, wrap: true, preview: false }, 1).fontSize).toBe(13)
  })
})
