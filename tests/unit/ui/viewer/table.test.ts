import { describe, expect, it } from 'vitest'
import { columnName, TableModel } from '../../../../ui/src/viewer/table/table-model.ts'

const TEXT = 'name;amount\n"semi;colon";10\nbeta;9\n\nalpha;"1,5"\nempty;\n'
const GUESSED = { separator: '', firstRowIsHead: true }

const ALL = { filter: '', locale: 'en' }

const cells = (model: TableModel, from = 0, to = 100) => model.rows(from, to).map((row) => row.cells[0])

describe('a text table', () => {
  it('is parsed with a guessed separator and without quotes', () => {
    const model = new TableModel(TEXT, GUESSED)
    expect(model.facts).toEqual({ columns: ['name', 'amount'], widths: [10, 6], rows: 4, separator: ';' })
    expect(cells(model)).toEqual(['semi;colon', 'beta', 'alpha', 'empty'])
    expect(model.rows(1, 2)).toEqual([{ number: 2, cells: ['beta', '9'] }])
  })

  it.each(['sep=;\n', 'sep=;\r\n', '"sep=;"\n', 'SEP=;\n'])('obeys the line %j, which is no row', (line) => {
    const model = new TableModel(`${line}name;amount\na,b,c;1,5\n`, GUESSED)
    expect(model.facts).toMatchObject({ columns: ['name', 'amount'], rows: 1, separator: ';' })
    const chosen = new TableModel(`${line}name|amount\n`, { ...GUESSED, separator: '|' })
    expect(chosen.facts).toMatchObject({ columns: ['name', 'amount'], rows: 0 })
  })

  it('may have no header, and another separator', () => {
    const model = new TableModel('a,b\nc', { separator: ';', firstRowIsHead: false })
    expect(model.facts).toMatchObject({ columns: ['A'], rows: 2 })
    expect(cells(model)).toEqual(['a,b', 'c'])
  })

  it('sorts numbers as numbers and words as words, with empty cells always last', () => {
    const model = new TableModel(TEXT, GUESSED)
    model.arrange({ ...ALL, column: 1 })
    expect(cells(model)).toEqual(['alpha', 'beta', 'semi;colon', 'empty'])
    model.arrange({ ...ALL, column: 1, descending: true })
    expect(cells(model)).toEqual(['semi;colon', 'beta', 'alpha', 'empty'])
    model.arrange({ ...ALL, column: 0 })
    expect(cells(model)).toEqual(['alpha', 'beta', 'empty', 'semi;colon'])
    model.arrange({ ...ALL })
    expect(cells(model)).toEqual(['semi;colon', 'beta', 'alpha', 'empty'])
  })

  it('sorts words by the alphabet of the interface language', () => {
    const model = new TableModel('name\nzebra\när\nOst\nöl\n', GUESSED)
    model.arrange({ ...ALL, column: 0, locale: 'sv' })
    expect(cells(model)).toEqual(['Ost', 'zebra', 'är', 'öl'])
    model.arrange({ ...ALL, column: 0, locale: 'de' })
    expect(cells(model)).toEqual(['är', 'öl', 'Ost', 'zebra'])
  })

  it('keeps the rows that match the filter, ignoring case', () => {
    const model = new TableModel(TEXT, GUESSED)
    expect(model.arrange({ ...ALL, filter: 'ALPH' })).toBe(1)
    expect(cells(model)).toEqual(['alpha'])
    expect(model.arrange({ ...ALL, filter: ' ' })).toBe(4)
  })

  it('finds cells with whatever accents and in any Unicode form', () => {
    const model = new TableModel('name\nJürgen\nJu\u0308rgen\nSTRASSE\n', { separator: ',', firstRowIsHead: true })
    expect(['jürgen', 'JURGEN', 'straße', 'ü'].map((filter) => model.arrange({ ...ALL, filter }))).toEqual([2, 2, 1, 2])
  })

  it('may be empty or have rows of different length', () => {
    expect(new TableModel('', GUESSED).facts).toMatchObject({ columns: [], rows: 0 })
    expect(new TableModel('a\nb,c,d', { separator: ',', firstRowIsHead: true }).facts.columns).toEqual(['a', 'B', 'C'])
  })

  it('names its columns like spreadsheets', () => {
    expect([0, 25, 26, 701, 702].map(columnName)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA'])
  })
})
