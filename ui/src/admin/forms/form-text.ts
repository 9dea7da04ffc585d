import { useLingui } from '@lingui/react'
import type { FormField } from '../../../../src/domain/forms.ts'
import { useText, type MessageId } from '../../i18n/use-text.tsx'

/** The words of a field. Their ids are made of its name, so a new setting needs nothing but its texts. */
export interface FieldWords {
  readonly label: string
  /** Empty where the label says it all. */
  readonly hint: string
  choice(value: string): string
}

/**
 * The id of the label of a field; its hint ends in ".hint", its choices in ".is.light" and, for the empty one, ".is.none".
 * What new users start with is called as in the form of a user, and permissions as everywhere.
 *
 * @param form of which form the field is, where its names are used by others too: "server"
 */
export function fieldTextId(key: string, form = ''): string {
  const own = key.replace(/^defaults\./, '')
  if (own.startsWith('perm.')) return own.replace('perm', 'permissions')
  return form === '' ? `fields.${own}` : `fields.${form}.${own}`
}

export function choiceTextId(id: string, value: string): string {
  return `${id}.is.${value === '' ? 'none' : value.replaceAll(' ', '-')}`
}

/** `const words = useFieldWords('server'); words(field).label` */
export function useFieldWords(form?: string): (field: Pick<FormField, 'key'>) => FieldWords {
  const t = useText()
  const { i18n } = useLingui()
  // A message that the catalogue lacks is an empty text.
  const say = (id: string): string => (id in i18n.messages ? t(id as MessageId) : '')
  return ({ key }) => {
    const id = fieldTextId(key, form)
    return {
      label: say(id),
      hint: say(`${id}.hint`),
      choice: (value) => say(choiceTextId(id, value)) || value,
    }
  }
}
