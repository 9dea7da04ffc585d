import { choiceTextId, fieldTextId, type FormField } from '../../../../src/domain/schema/forms.ts'
import { useText, type MessageId, useI18n } from '../../i18n/use-text.tsx'
import { EDITOR_THEMES } from '../../lib/editor-themes.ts'

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

/** Options for the editor theme, grouped into light and dark. The empty value follows the page. */
export function useEditorThemeOptions() {
  const t = useText()
  return [
    { value: '', label: t('profile.editorThemeOfPage') },
    ...EDITOR_THEMES.map(({ caption, name, dark }) => ({
      value: name,
      label: caption,
      group: t(dark ? 'profile.darkThemes' : 'profile.lightThemes'),
    })),
  ]
}
