import { useText } from '../../i18n/use-text.tsx'
import { EDITOR_THEMES } from '../../lib/editor-themes.ts'

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
