import { expect, it } from 'vitest'
import { drawTable } from '../../../src/cli/terminal/table.ts'

const HEADINGS = ['ID', 'USER', 'SCOPE']

it('sets columns two spaces apart, and ends no line with spaces', async () => {
  expect(
    await drawTable(
      HEADINGS,
      [
        ['1', 'admin', '.'],
        ['12', 'bo', ''],
      ],
      false,
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
      false,
    ),
  ).toBe(
    // prettier-ignore
    ['ID  USER  SCOPE', '1   漢字  a', '2   e\u0301     b'].join('\n'),
  )
})

it.each([['plain'], ['漢']])('makes headings bold on a terminal: %s', async (word) => {
  const [heading, row] = (await drawTable(['A', 'B'], [[word, '1']], true)).split('\n')
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
  const lines = (await drawTable(['A', 'B'], [[cell, '1']], false)).split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(/^[ -~\ufffd]*$/)
})

it('draws only the headings if there are no rows', async () => {
  expect(await drawTable(HEADINGS, [], false)).toBe('ID  USER  SCOPE')
})
