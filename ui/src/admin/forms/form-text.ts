import { choiceTextId, fieldTextId, type FormField } from '../../../../src/domain/schema/forms.ts'
import { useText, type MessageId, useI18n } from '../../i18n/use-text.tsx'

/**
 * A field's label and hint in the language of the page. The ids follow from the field's name; the English texts come
 * from the schema.
 */
export interface FieldTexts {
  readonly label: string
  /** Empty if the label is enough. */
  readonly hint: string
  choice(value: string): string
}

/** `const texts = useFieldTexts('server'); texts(field).label` */
export function useFieldTexts(form?: string): (field: Pick<FormField, 'key'>) => FieldTexts {
  const t = useText()
  const i18n = useI18n()
  // Messages missing from the catalogue become empty strings.
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
