import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SignInChange } from '../../src/domain/accounts/auth-method.ts'
import { fieldTextId, formOf, type FormField } from '../../src/domain/schema/forms.ts'
import { RootChange } from '../../src/domain/server/root.ts'
import { ServerOptions } from '../../src/domain/server/server-options.ts'
import { OpenSettings } from '../../src/domain/settings/settings.ts'
import { UserPatch } from '../../src/domain/accounts/user.ts'

/** Fields that no form shows as a row: lists with their own editor, and hidden values. */
const WITHOUT_ROW = ['rules', 'hookLimits', 'authMethod', 'favourites', 'recent', 'password', 'current_password']

/** The fields of a root that are rows; the others are drawn by themselves. */
const ROOT_ROWS = ['trashDays', 'quota', 'hidden']

/** The fields of a schema that a form of the page shows. */
export function shownFields(schema: Parameters<typeof formOf>[0]): FormField[] {
  const fields = formOf(schema).flatMap((group) => group.fields)
  return fields.filter(({ key, widget }) => !WITHOUT_ROW.includes(key) && widget !== 'lines')
}

/** The forms of the page, by the name that `fieldTextId` expects. */
export const FORMS: readonly (readonly [form: string, fields: readonly FormField[]])[] = [
  ['', shownFields(OpenSettings)],
  ['', shownFields(UserPatch)],
  ['server', shownFields(ServerOptions)],
  ['signin', shownFields(SignInChange)],
  ['roots', shownFields(RootChange).filter(({ key }) => ROOT_ROWS.includes(key))],
]

/** The titles and hints of all fields by text id, so that the page shows what the schemas say. */
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

/** The English catalogue with titles and hints replaced from the schemas; other texts stay. */
export function englishCatalogue(): string {
  const catalogue = JSON.parse(readFileSync(CATALOGUE, 'utf8')) as Record<string, string>
  const others = Object.entries(catalogue).filter(([id]) => !id.startsWith('fields.') || id.includes('.is.'))
  const all = new Map([...others, ...fieldTexts()])
  const sorted = [...all].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`
}
