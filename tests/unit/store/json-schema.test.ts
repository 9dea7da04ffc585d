import { Type, type TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import { Check } from 'typebox/schema'
import { StoreDocument as StoreSchema } from '../../../src/store/document.ts'
import { sampleDocument } from '../../contract/store/samples.ts'
import { fillDefaults, knowsAllFields, refuseUnknownFields } from '../../../src/store/json/json.ts'

const StoreDocument: TSchema = StoreSchema

const Theme = Type.Object({ name: Type.String({ default: 'plain' }), bold: Type.Boolean({ default: false }) })
const Page: TSchema = Type.Object({
  title: Type.String(),
  theme: Theme,
  saved: Type.Partial(Theme),
  notes: Type.Array(Theme, { default: [] }),
  hint: Type.Optional(Type.String({ default: 'never filled' })),
})

it('fills in absent fields at any depth, also in lists', () => {
  expect(fillDefaults(Page, { title: 'a', saved: {}, notes: [{ bold: true }] })).toEqual({
    title: 'a',
    theme: { name: 'plain', bold: false },
    saved: {},
    notes: [{ name: 'plain', bold: true }],
  })
})

it('leaves optional fields and what has no default absent', () => {
  expect(fillDefaults(Page, { theme: {} })).toEqual({ theme: { name: 'plain', bold: false }, saved: {}, notes: [] })
})

it('changes no value that is there, valid or not', () => {
  const given = { title: 7, theme: null, saved: { bold: 'x' }, notes: {}, hint: '', more: 1 }
  expect(fillDefaults(Page, given)).toEqual(given)
})

it('gives each document a default of its own', () => {
  const [one, other] = [fillDefaults(Page, {}), fillDefaults(Page, {})] as { notes: unknown[] }[]
  expect(one?.notes).not.toBe(other?.notes)
})

describe('an unknown field', () => {
  const known = { ...sampleDocument(), server: { port: 80 } }
  known.settings.commands = { after_upload: [] }

  it('is found in every object of the store', () => {
    expect(knowsAllFields(StoreDocument, known)).toBe(true)
    const objects = objectPaths(known)
    expect(objects.length).toBeGreaterThan(12)
    for (const objectPath of objects) {
      const document = structuredClone(known)
      const object = objectPath.reduce<Record<string, unknown>>(
        (at, key) => at[key] as Record<string, unknown>,
        document,
      )
      object['Strange-1'] = 1
      expect(Check(refuseUnknownFields(StoreDocument) as TSchema, document), objectPath.join('.')).toBe(false)
      expect(knowsAllFields(StoreDocument, document), objectPath.join('.')).toBe(false)
    }
  })

  it('may also be called like a built-in property', () => {
    expect(knowsAllFields(Page, JSON.parse('{"title":"a","__proto__":{}}'))).toBe(false)
    expect(knowsAllFields(Page, { title: 'a', toString: 'x' })).toBe(false)
  })

  it('is left to the checker where a field may be of several kinds', () => {
    const either = Type.Object({ a: Type.Union([Type.Object({ b: Type.String() }), Type.Null()]) })
    expect(knowsAllFields(either, { a: null })).toBe(true)
    expect(knowsAllFields(either, { a: { b: '' } })).toBe(false)
  })
})

/** The path to each object in the value, to itself first. */
function objectPaths(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, field]) =>
    objectPaths(field).map((objectPath) => [key, ...objectPath]),
  )
  return Array.isArray(value) ? inner : [[], ...inner]
}
