import { expect, it } from 'vitest'
import { formOf } from '../../../../src/domain/schema/forms.ts'
import { leaves } from '../../../../src/domain/schema/schema-tools.ts'
import { ServerOptions } from '../../../../src/domain/server/server-options.ts'
import { Settings } from '../../../../src/domain/settings/settings.ts'

const fieldsOf = (schema: Parameters<typeof formOf>[0]) => formOf(schema).flatMap(({ fields }) => fields)

it.each([
  ['settings', Settings],
  ['start-up values', ServerOptions],
])('the form of %s holds every value once, each with a title', (_, schema) => {
  const fields = fieldsOf(schema)
  expect(fields.map(({ key }) => key).toSorted()).toEqual(
    leaves(schema)
      .map(({ key }) => key)
      .toSorted(),
  )
  expect(fields.filter(({ title, key }) => title === key)).toEqual([])
})

it('every setting has a group', () => {
  expect(formOf(Settings).map(({ title }) => title)).not.toContain('Other')
})

it('a field has the widget that its type asks for, unless the schema names one', () => {
  const widgets = Object.fromEntries(fieldsOf(Settings).map(({ key, widget }) => [key, widget]))
  expect(widgets).toMatchObject({
    signup: 'switch',
    minimumPasswordLength: 'number',
    'branding.theme': 'choice',
    'branding.name': 'text',
    'tus.chunkSize': 'bytes',
    fileMode: 'mode',
    sessionMaxAge: 'duration',
    shell: 'words',
    rules: 'rules',
    commands: 'lines',
  })
})
