import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SignInChange } from '../../src/domain/accounts/auth-method.ts'
import { fieldTextId, formOf, type FormField } from '../../src/domain/schema/forms.ts'
import { ServerOptions } from '../../src/domain/settings/server-options.ts'
import { OpenSettings } from '../../src/domain/settings/settings.ts'
import { UserPatch } from '../../src/domain/accounts/user.ts'

/** Fields without a row in a form: lists with an editor of their own, and values that no form shows. */
const NOT_DRAWN = ['rules', 'hookLimits', 'authMethod', 'favourites', 'recent', 'password', 'current_password']

/** The fields of a schema that a form of the page draws. */
export function drawnFields(schema: Parameters<typeof formOf>[0]): FormField[] {
  const fields = formOf(schema).flatMap((group) => group.fields)
  return fields.filter(({ key, widget }) => !NOT_DRAWN.includes(key) && widget !== 'lines')
}

/** The forms of the page, by the name that `fieldTextId` takes. */
export const FORMS: readonly (readonly [form: string, fields: readonly FormField[]])[] = [
  ['', drawnFields(OpenSettings)],
  ['', drawnFields(UserPatch)],
  ['server', drawnFields(ServerOptions)],
  ['signin', drawnFields(SignInChange)],
]

/** The titles and hints of all fields, by text id: what the schemas say is what the page says. */
export function fieldTexts(): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [form, fields] of FORMS) {
    for (const { key, title, description } of fields) {
      const id = fieldTextId(key, form)
      texts.set(id, title)
      if (description !== undefined) texts.set(`${id}.hint`, description)
    }
  }
  return texts
}

const CATALOGUE = fileURLToPath(new URL('../../ui/src/i18n/catalogues/en.json', import.meta.url))

/** The English catalogue with the titles and hints of the schemas; all its other texts stay. */
export function englishCatalogue(): string {
  const catalogue = JSON.parse(readFileSync(CATALOGUE, 'utf8')) as Record<string, string>
  const others = Object.entries(catalogue).filter(([id]) => !id.startsWith('fields.') || id.includes('.is.'))
  const all = new Map([...others, ...fieldTexts()])
  const sorted = [...all].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`
}
