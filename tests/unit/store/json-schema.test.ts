import { Type, type TSchema } from 'typebox'
import { expect, it } from 'vitest'
import { fillDefaults } from '../../../src/store/json-schema.ts'

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

it('changes nothing that is there, right or wrong', () => {
  const given = { title: 7, theme: null, saved: { bold: 'x' }, notes: {}, hint: '', more: 1 }
  expect(fillDefaults(Page, given)).toEqual(given)
})

it('gives each document a default of its own', () => {
  const [one, other] = [fillDefaults(Page, {}), fillDefaults(Page, {})] as { notes: unknown[] }[]
  expect(one?.notes).not.toBe(other?.notes)
})
