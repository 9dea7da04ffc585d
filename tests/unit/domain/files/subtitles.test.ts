import { describe, expect, it } from 'vitest'
import { subtitleConverter } from '../../../../src/domain/files/subtitles/convert.ts'

const convert = (name: string, text: string) => [...(subtitleConverter(name)?.(text) ?? [])].join('')
const srt = (text: string) => convert('a.srt', text)
const ass = (...lines: string[]) =>
  convert('a.ass', ['[Events]', 'Format: Layer, Start, End, Style, Text', ...lines].join('\n'))

describe('SubRip', () => {
  it('becomes WebVTT', () => {
    const text =
      '1\n00:00:01,000 --> 00:00:02,500\nFirst<BR/>line <i>it</i> & more\n\n2\n00:01:00,000 --> 00:01:02,000\nSecond\nline two\n\n'
    expect(srt(text)).toBe(
      'WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.500\nFirst\nline <i>it</i> &amp; more\n\n2\n00:01:00.000 --> 00:01:02.000\nSecond\nline two\n\n',
    )
    for (const end of ['\r\n', '\r']) expect(srt(text.replaceAll('\n', end))).toBe(srt(text))
    expect(convert('A.SRT', text)).toBe(srt(text))
  })

  it.each([
    ['without numbers', '00:00:01,000 --> 00:00:02,000\na\n\n00:00:03,000 --> 00:00:04,000\nb\n'],
    ['numbered wrongly', '7\n00:00:01,000 --> 00:00:02,000\na\n\n7\n00:00:03,000 --> 00:00:04,000\nb'],
    ['without blank lines', '1\n00:00:01,000 --> 00:00:02,000\na\n2\n00:00:03,000 --> 00:00:04,000\nb\n'],
    ['with positions and points', '1\n0:0:1.0 --> 0:0:2.0 X1:1 X2:2\n{\\an8}a\n\n2\n0:0:3,0 --> 0:0:4,0\nb\n'],
  ])('%s is also read', (_variant, text) => {
    expect(srt(text)).toBe('WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.000\na\n\n2\n00:00:03.000 --> 00:00:04.000\nb\n\n')
  })

  it('keeps text that is a number, and existing entities', () => {
    expect(srt('1\n00:00:01,000 --> 00:00:02,000\n42\n')).toContain('.000\n42\n\n')
    expect(srt('1\n00:00:01,000 --> 00:00:02,000\n42\n\n2\n00:00:03,000 --> 00:00:04,000\nb\n')).toContain(
      '.000\n42\n\n2',
    )
    expect(srt('1\n00:00:01,000 --> 00:00:02,000\n&lt;a&gt; --> b & c\n')).toContain('&lt;a&gt; --&gt; b &amp; c')
  })

  it('without a cue gives nothing', () => {
    for (const text of ['', 'garbage without cues\n', '-->']) expect(srt(text)).toBe('')
  })

  it.each(['<br', '{\\', '1:1:1,1 --> ', '\n', '&', '\r', '1\n'])(
    'is read quickly even if it is full of %j',
    (part) => {
      const text = `00:00:01,000 --> 00:00:02,000\n${part.repeat(1_000_000 / part.length)}`
      expect(srt(text)).toMatch(/^WEBVTT/)
    },
  )
})

describe('SubStation Alpha', () => {
  it('becomes WebVTT, by time, without the styles that browsers do not know', () => {
    const result = ass(
      'Dialogue: 0,0:00:03.00,0:00:04.50,Default,two, with a comma',
      'Comment: 0,0:00:01.00,0:00:02.00,Default,not shown',
      String.raw`Dialogue: 0,0:00:01.00,0:00:02.50,Default,{\pos(1,2)}one\N<b> & {\i1}slanted{\i0}\h!`,
    )
    expect(result).toBe(
      'WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.500\none\n&lt;b> &amp; <i>slanted</i> !\n\n2\n00:00:03.000 --> 00:00:04.500\ntwo, with a comma\n',
    )
  })

  it('closes unclosed styles, and leaves out drawings', () => {
    expect(ass(String.raw`Dialogue: 0,0:00:01.00,0:00:02.00,D,{\b1\i1}a{\b0}b`)).toContain('<i><b>a</b></i><i>b</i>\n')
    expect(ass(String.raw`Dialogue: 0,0:00:01.00,0:00:02.00,D,{\p1}m 0 0 l 9 9{\p0}`)).toBe('')
  })

  it('is read in the field order of its format line', () => {
    const text = '[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,a\n[Fonts]\nDialogue: x'
    expect(convert('a.ssa', text)).toBe('WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.000\na\n')
  })

  it.each(['{', '{\\i1', ',', '\\N', '{\\i1}{\\i0}'])('is read quickly even if it is full of %j', (part) => {
    expect(ass(`Dialogue: 0,0:00:01.00,0:00:02.00,D,a${part.repeat(50_000 / part.length)}`)).toMatch(/^WEBVTT/)
  })
})

describe('other files', () => {
  it('are not converted', () => {
    for (const name of ['a.vtt', 'a.VTT', 'srt', 'a.txt']) expect(subtitleConverter(name)).toBeUndefined()
  })
})
