import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SignInChange } from '../../../../src/domain/auth-method.ts'
import { formOf, type FormField } from '../../../../src/domain/forms.ts'
import { ServerOptions } from '../../../../src/domain/server-options.ts'
import { OpenSettings } from '../../../../src/domain/settings.ts'
import { UserPatch } from '../../../../src/domain/user.ts'
import {
  fieldProblem,
  changedFields,
  clashes,
  fieldOfError,
  rebased,
  withValue,
} from '../../../../ui/src/admin/forms/form-model.ts'
import { choiceTextId, fieldTextId } from '../../../../ui/src/admin/forms/form-text.ts'

const catalogue = Object.keys(
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../../ui/src/i18n/en.json'), 'utf8')) as object,
)

/** Lists that have an editor of their own, what is no field, and what no page changes as a value. */
const NOT_DRAWN = ['rules', 'hookLimits', 'authMethod', 'favourites', 'recent', 'password', 'current_password']

function drawn(schema: Parameters<typeof formOf>[0]): FormField[] {
  const fields = formOf(schema).flatMap((group) => group.fields)
  return fields.filter(({ key, widget }) => !NOT_DRAWN.includes(key) && widget !== 'lines')
}

const FORMS = [
  ['', drawn(OpenSettings)],
  ['', drawn(UserPatch)],
  ['server', drawn(ServerOptions)],
  ['signin', drawn(SignInChange)],
] as const

const settings = drawn(OpenSettings)
const named = (key: string): FormField => {
  const field = settings.find((one) => one.key === key)
  if (field === undefined) throw new Error(`there is no field ${key}`)
  return field
}

describe('the words of forms', () => {
  const wanted = FORMS.flatMap(([form, fields]) =>
    fields.flatMap(({ key, choices }) => {
      const id = fieldTextId(key, form)
      return [id, ...choices.map((choice) => choiceTextId(id, choice))]
    }),
  )

  it('are there for each field and each of its choices', () => {
    expect(wanted.filter((id) => !catalogue.includes(id))).toEqual([])
    expect(wanted.length).toBeGreaterThan(60)
  })

  it('are there for no field that does not exist', () => {
    const known = new Set(wanted)
    const found = catalogue.filter((id) => id.startsWith('fields.'))
    expect(found.filter((id) => !known.has(id) && !known.has(id.replace(/\.hint$/, '')))).toEqual([])
  })
})

describe('a form', () => {
  const base = { signup: false, branding: { name: 'one', theme: '' }, tus: { chunkSize: 1, retryCount: 5 } }

  it('knows what was changed, and what was put back', () => {
    const draft = withValue(base, ['branding', 'name'], 'two')
    expect(changedFields(settings, base, draft).map(({ key }) => key)).toEqual(['branding.name'])
    expect(changedFields(settings, base, withValue(draft, ['branding', 'name'], 'one'))).toEqual([])
    expect(base.branding.name).toBe('one')
  })

  it('keeps the changes of somebody else beside its own', () => {
    const draft = withValue(base, ['branding', 'name'], 'mine')
    const theirs = withValue(base, ['signup'], true)
    expect(clashes(settings, base, draft, theirs)).toEqual([])
    expect(rebased(settings, base, draft, theirs)).toEqual({ ...theirs, branding: { name: 'mine', theme: '' } })
  })

  it('tells where both have changed the same, unless they mean the same', () => {
    const draft = withValue(withValue(base, ['branding', 'name'], 'mine'), ['signup'], true)
    const theirs = withValue(withValue(base, ['branding', 'name'], 'theirs'), ['signup'], true)
    const found = clashes(settings, base, draft, theirs)
    expect(found.map(({ field, mine, theirs: other }) => [field.key, mine, other])).toEqual([
      ['branding.name', 'mine', 'theirs'],
    ])
  })

  it('finds the field that the server means', () => {
    expect(fieldOfError(settings, 'branding.color')?.key).toBe('branding.color')
    expect(
      fieldOfError(
        formOf(OpenSettings).flatMap(({ fields }) => fields),
        'rules.3.path',
      )?.key,
    ).toBe('rules')
    expect(fieldOfError(drawn(SignInChange), 'auth.header')?.key).toBe('header')
    expect(fieldOfError(settings, 'nosuch')).toBeUndefined()
    expect(fieldOfError(settings, undefined)).toBeUndefined()
  })

  it.each([
    ['minimumPasswordLength', 0, 'form.tooSmall'],
    ['minimumPasswordLength', 5000, 'form.tooLarge'],
    ['minimumPasswordLength', undefined, 'form.number'],
    ['minimumPasswordLength', 8, undefined],
    ['fileMode', undefined, 'form.mode'],
    ['tus.chunkSize', undefined, 'form.size'],
    ['tus.chunkSize', 0, 'form.tooSmall'],
    ['tus.retryCount', 0, undefined],
    ['sessionMaxAge', 'a while', 'form.duration'],
    ['sessionMaxAge', '30d', undefined],
    ['branding.color', 'blue', 'form.example'],
    ['branding.color', '#2979ff', undefined],
    ['branding.color', '', undefined],
    ['branding.name', 'x'.repeat(101), 'form.tooLong'],
    ['defaults.commands', ['x'.repeat(257)], 'form.tooLong'],
    ['defaults.commands', Array.from({ length: 257 }, () => 'x'), 'form.tooMany'],
    ['signup', true, undefined],
  ])('says what is wrong with %s = %s before the server does', (key, value, id) => {
    expect(fieldProblem(named(key), value)?.id).toBe(id)
  })
})
