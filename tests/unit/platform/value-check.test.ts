import { Type, type TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import { createValueCheck } from '../../../src/platform/validation/value-check.ts'
import { refuseUnknownFields } from '../../../src/store/json/json.ts'
import { StoreDocument } from '../../../src/store/document.ts'
import { sampleDocument } from '../../contract/store/samples.ts'

describe('a value check', () => {
  const schema = Type.Object({ name: Type.String({ minLength: 1 }) })

  it.each([
    ['small', 1],
    ['large', 1_000_000],
  ])('accepts %s values of the schema and no others, every time', (_size, size) => {
    const check = createValueCheck(schema)
    for (let time = 0; time < 5; time++) {
      expect(check.accepts({ name: 'a' }, size)).toBe(true)
      expect(check.accepts({ name: '' }, size)).toBe(false)
      expect(check.accepts(null, size)).toBe(false)
    }
  })

  it('names the path of an invalid value', () => {
    expect(createValueCheck(schema).problems({ name: '' })).toMatchObject([{ instancePath: '/name' }])
    expect(createValueCheck(schema).problems({ name: 'a' })).toEqual([])
  })
})

describe('a check that walks the store', () => {
  const schema = refuseUnknownFields(StoreDocument as TSchema) as TSchema
  const walked = (value: unknown) => createValueCheck(schema).accepts(value, 0)
  const compiled = (value: unknown) => createValueCheck(schema).accepts(value, Number.POSITIVE_INFINITY)

  it('agrees with the compiled check, whatever is wrong in the store', () => {
    const verdicts = spoilt(sampleDocument()).map((document) => [walked(document), compiled(document)])
    expect(verdicts.filter(([one, other]) => one !== other)).toEqual([])
    expect(verdicts.length).toBeGreaterThan(500)
    expect(verdicts.filter(([one]) => one === false).length).toBeGreaterThan(300)
    expect(walked(sampleDocument())).toBe(true)
  })
})

const WRONG = [undefined, null, -1, 0.5, 'nonsense', '', true, [], {}, { unknown: 1 }]

/** Copies of the value, each with one wrong value in one place. */
function spoilt(value: unknown): unknown[] {
  const within =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, child]) =>
          spoilt(child).map((wrong) =>
            Array.isArray(value) ? value.with(Number(key), wrong) : { ...value, [key]: wrong },
          ),
        )
      : []
  return [...WRONG, ...within]
}
