import { useLingui } from '@lingui/react'
import { choiceTextId, fieldTextId, type FormField } from '../../../../src/domain/schema/forms.ts'
import { useText, type MessageId } from '../../i18n/use-text.tsx'

/** The words of a field in the language of the page. Their ids follow from its name; the English ones stand in the schema. */
export interface FieldWords {
  readonly label: string
  /** Empty where the label says it all. */
  readonly hint: string
  choice(value: string): string
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
