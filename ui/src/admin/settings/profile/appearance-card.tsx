import { useText } from '../../../i18n/use-text.tsx'
import { Segmented } from '../../../kit/button/toggles.tsx'
import { Select } from '../../../kit/fields/select.tsx'
import { SettingCard, SettingRow } from '../../../kit/page/settings.tsx'
import { useTheme } from '../../../kit/contexts.ts'
import { useStore } from '../../../lib/create-store.ts'
import { useEditorThemeOptions } from '../../permissions/editor-theme-options.ts'
import { LANGUAGES } from '../../../i18n/languages.ts'
import type { PreferenceStore } from './use-preferences.ts'

/** How the page looks: theme and rows are of this browser, all else of the account. */
export function AppearanceCard({ values, set }: PreferenceStore) {
  const t = useText()
  const themes = useEditorThemeOptions()
  const theme = useTheme()
  const choice = useStore(theme.choice)
  const density = useStore(theme.density)
  return (
    <SettingCard title={t('profile.appearance')}>
      <SettingRow label={t('profile.theme')} hint={t('profile.themeText')}>
        <Segmented
          label={t('profile.theme')}
          value={choice}
          onChange={theme.choose}
          options={[
            { value: 'system', label: t('profile.themeSystem') },
            { value: 'light', label: t('profile.themeLight') },
            { value: 'dark', label: t('profile.themeDark') },
          ]}
        />
      </SettingRow>
      <SettingRow label={t('profile.language')}>
        {(control) => (
          <Select {...control} options={LANGUAGES} value={values.locale} onChange={(locale) => set({ locale })} />
        )}
      </SettingRow>
      <SettingRow label={t('profile.rows')} hint={t('profile.rowsText')}>
        <Segmented
          label={t('profile.rows')}
          value={density}
          onChange={theme.space}
          options={[
            { value: 'cosy', label: t('profile.rowsCosy') },
            { value: 'compact', label: t('profile.rowsCompact') },
          ]}
        />
      </SettingRow>
      <SettingRow label={t('profile.editorTheme')} hint={t('profile.editorThemeText')}>
        {(control) => (
          <Select
            {...control}
            options={themes}
            value={values.aceEditorTheme}
            onChange={(aceEditorTheme) => set({ aceEditorTheme })}
          />
        )}
      </SettingRow>
    </SettingCard>
  )
}
