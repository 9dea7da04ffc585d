import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SignInChange } from '../../../../src/domain/accounts/auth-method.ts'
import { shownFields, fieldTexts, FORMS } from '../../../../tools/generators/field-texts.ts'
import { choiceTextId, fieldTextId, formOf, type FormField } from '../../../../src/domain/schema/forms.ts'
import { OpenSettings } from '../../../../src/domain/settings/settings.ts'
import {
  fieldProblem,
  changedFields,
  editShown,
  fieldConflicts,
  fieldOfError,
  rebased,
  withValue,
} from '../../../../ui/src/admin/forms/form-model.ts'

const I18N = join(import.meta.dirname, '../../../../ui/src/i18n/catalogues')
const textsOf = (file: string) => JSON.parse(readFileSync(join(I18N, file), 'utf8')) as Record<string, string>
const english = textsOf('en.json')
const catalogues = readdirSync(I18N).filter((file) => file.endsWith('.json'))

const settings = shownFields(OpenSettings)
const named = (key: string): FormField => {
  const field = settings.find((one) => one.key === key)
  if (field === undefined) throw new Error(`there is no field ${key}`)
  return field
}

describe('the texts of forms', () => {
  const texts = fieldTexts()
  const choices = FORMS.flatMap(([form, fields]) =>
    fields.flatMap((field) => field.choices.map((choice) => choiceTextId(fieldTextId(field.key, form), choice))),
  )

  it('have English titles and hints from the schema', () => {
    const fields = FORMS.flatMap(([, all]) => all)
    expect(fields.filter(({ leaf }) => !leaf.schema.title).map(({ key }) => key)).toEqual([])
    expect(Object.fromEntries([...texts].map(([id]) => [id, english[id]]))).toEqual(Object.fromEntries(texts))
  })

  it.each(catalogues)('exist in %s for every field and every choice', (file) => {
    const catalogue = textsOf(file)
    expect([...texts.keys(), ...choices].filter((id) => !catalogue[id])).toEqual([])
    expect(texts.size).toBeGreaterThan(60)
  })

  it('exist for no unknown field', () => {
    const known = new Set([...texts.keys(), ...choices])
    expect(Object.keys(english).filter((id) => id.startsWith('fields.') && !known.has(id))).toEqual([])
  })
})

describe('a form', () => {
  const base = { signup: false, branding: { name: 'one', theme: '' }, tus: { chunkSize: 1, retryCount: 5 } }

  it('knows which fields have changed', () => {
    const draft = withValue(base, ['branding', 'name'], 'two')
    expect(changedFields(settings, base, draft).map(({ key }) => key)).toEqual(['branding.name'])
    expect(changedFields(settings, base, withValue(draft, ['branding', 'name'], 'one'))).toEqual([])
    expect(base.branding.name).toBe('one')
  })

  it('merges changes by others with its own', () => {
    const draft = withValue(base, ['branding', 'name'], 'mine')
    const saved = withValue(base, ['signup'], true)
    expect(fieldConflicts(settings, base, draft, saved)).toEqual([])
    expect(rebased(settings, base, draft, saved)).toEqual({ ...saved, branding: { name: 'mine', theme: '' } })
  })

  it('follows what others save in fields without edits, unless the server keeps versions', () => {
    const draft = withValue(base, ['branding', 'name'], 'mine')
    const saved = { value: withValue(base, ['signup'], true), etag: null }
    const merged = { ...saved.value, branding: { name: 'mine', theme: '' } }
    expect(editShown(settings, { base: { value: base, etag: null }, draft }, saved)).toEqual({
      base: saved,
      draft: merged,
    })
    const versioned = { base: { value: base, etag: '"1"' }, draft }
    expect(editShown(settings, versioned, { ...saved, etag: '"2"' })).toBe(versioned)
    const reset = { ...versioned, draft: base }
    expect(editShown(settings, reset, { ...saved, etag: '"2"' }).draft).toBe(saved.value)
  })

  it('reports fields that both have changed to different values', () => {
    const draft = withValue(withValue(base, ['branding', 'name'], 'mine'), ['signup'], true)
    const saved = withValue(withValue(base, ['branding', 'name'], 'theirs'), ['signup'], true)
    const found = fieldConflicts(settings, base, draft, saved)
    expect(found.map(({ field, ownValue, savedValue }) => [field.key, ownValue, savedValue])).toEqual([
      ['branding.name', 'mine', 'theirs'],
    ])
  })

  it('finds the field named in a server error', () => {
    expect(fieldOfError(settings, 'branding.color')?.key).toBe('branding.color')
    expect(
      fieldOfError(
        formOf(OpenSettings).flatMap(({ fields }) => fields),
        'rules.3.path',
      )?.key,
    ).toBe('rules')
    expect(fieldOfError(shownFields(SignInChange), 'auth.header')?.key).toBe('header')
    expect(fieldOfError(settings, 'nosuch')).toBeUndefined()
    expect(fieldOfError(settings, undefined)).toBeUndefined()
  })

  it.each([
    ['minimumPasswordLength', 0, 'form.tooSmall'],
    ['minimumPasswordLength', 5000, 'form.tooLarge'],
    ['minimumPasswordLength', undefined, 'form.number'],
    ['minimumPasswordLength', 8, undefined],
    ['fileMode', undefined, 'form.mode'],
    ['fileMode', 0o1640, 'form.mode'],
    ['dirMode', 0o2775, undefined],
    ['dirMode', 0o4755, 'form.mode'],
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
