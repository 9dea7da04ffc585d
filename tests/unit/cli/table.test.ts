import { expect, it } from 'vitest'
import { drawTable } from '../../../src/cli/terminal/table.ts'

const HEADINGS = ['ID', 'USER', 'SCOPE']
const PLAIN = { color: false, width: undefined }

it('sets columns two spaces apart, and ends no line with spaces', async () => {
  expect(
    await drawTable(
      HEADINGS,
      [
        ['1', 'admin', '.'],
        ['12', 'bo', ''],
      ],
      PLAIN,
    ),
  ).toBe(
    // prettier-ignore
    ['ID  USER   SCOPE', '1   admin  .', '12  bo'].join('\n'),
  )
})

it('counts two columns for a wide letter, and none for a combining one', async () => {
  expect(
    await drawTable(
      HEADINGS,
      [
        ['1', '漢字', 'a'],
        ['2', 'e\u0301', 'b'],
      ],
      PLAIN,
    ),
  ).toBe(
    // prettier-ignore
    ['ID  USER  SCOPE', '1   漢字  a', '2   e\u0301     b'].join('\n'),
  )
})

it.each([['plain'], ['漢']])('makes headings bold on a terminal: %s', async (word) => {
  const [heading, row] = (await drawTable(['A', 'B'], [[word, '1']], { color: true, width: undefined })).split('\n')
  const bold = (text: string) => `\u001b[1m${text}\u001b[22m`
  expect(heading?.replace(/ +/, ' ')).toBe(`${bold('A')} ${bold('B')}`)
  expect(row).toBe(`${word}  1`)
})

it.each([
  ['a title', '\u001b]0;x\u0007'],
  ['a line break', 'a\nb'],
  ['a clear command of one character', '\u009b2J'],
  ['a change of direction', '\u202etxt.exe'],
])('sends no control characters to the terminal: %s', async (_, cell) => {
  const lines = (await drawTable(['A', 'B'], [[cell, '1']], PLAIN)).split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(/^[ -~\ufffd]*$/)
})

it('draws only the headings if there are no rows', async () => {
  expect(await drawTable(HEADINGS, [], PLAIN)).toBe('ID  USER  SCOPE')
})

const WIDE = ['NAME', 'NOTE', 'SEEN', 'SCOPE']
const ROW = ['anna', 'x'.repeat(40), '2026-11-24T08:00:12.345Z', `/homes/anna/${'y'.repeat(30)}`]

const drawn = async (width: number, spare: readonly string[] = [], row: readonly string[] = ROW) =>
  (await drawTable(WIDE, [row], { color: false, width }, spare)).split('\n')

it('is as wide as its values without a terminal, and if they fit', async () => {
  const whole = await drawTable(WIDE, [ROW], PLAIN, ['NOTE', 'SEEN'])
  expect(whole).toContain(ROW.join('  '))
  expect(await drawTable(WIDE, [ROW], { color: false, width: 200 }, ['NOTE', 'SEEN'])).toBe(whole)
})

it('cuts the least important columns first, and no more than necessary', async () => {
  expect(await drawn(100, ['NOTE', 'SEEN'])).toEqual([
    `NAME  NOTE${' '.repeat(20)}  SEEN${' '.repeat(20)}  SCOPE`,
    `anna  ${'x'.repeat(23)}…  ${ROW[2] ?? ''}  ${ROW[3] ?? ''}`,
  ])
  expect((await drawn(80, ['NOTE', 'SEEN']))[1]).toBe(`anna  xxxxxxxxxx…  2026-11-24T08:00…  ${ROW[3] ?? ''}`)
})

it('leaves out what would be too short, and folds what is left', async () => {
  expect(await drawn(62, ['NOTE', 'SEEN'])).toEqual([
    'NAME  SEEN          SCOPE',
    `anna  2026-11-24T…  ${ROW[3] ?? ''}`,
  ])
  const folded = await drawn(30, ['NOTE', 'SEEN'])
  expect(folded[0]).toBe('NAME  SCOPE')
  expect(
    folded
      .slice(1)
      .map((line) => line.slice(6))
      .join(''),
  ).toBe(ROW[3])
  expect(Math.max(...folded.map((line) => line.length))).toBeLessThanOrEqual(30)
})

it('folds after spaces and commas, and counts two columns for a wide letter', async () => {
  const [, ...lines] = await drawn(40, ['NOTE', 'SEEN'], ['漢字', '', '', 'create rename modify delete share download'])
  expect(lines).toEqual(['漢字  create rename modify delete share', '      download'])
  const [, cut] = await drawn(40, ['SCOPE', 'NOTE'], ['a', '', '', '漢'.repeat(40)])
  expect(cut).toBe(`a${' '.repeat(17)}${'漢'.repeat(10)}…`)
})
