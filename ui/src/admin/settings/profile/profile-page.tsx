import { useProductName, usePageTitle } from '../../../api/page-config.tsx'
import { useUser } from '../../../api/session.ts'
import { useText, type MessageId } from '../../../i18n/use-text.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { Segmented } from '../../../kit/button/toggles.tsx'
import { Select } from '../../../kit/fields/select.tsx'
import { SettingCard, SettingRow } from '../../../kit/page/settings.tsx'
import { useTheme } from '../../../kit/contexts.ts'
import { useStore } from '../../../lib/create-store.ts'
import { useEditorThemeOptions } from '../../forms/form-text.ts'
import { LANGUAGES } from '../../../i18n/languages.ts'
import { useState } from 'react'
import { useFormat } from '../../../i18n/use-format.ts'
import { Button } from '../../../kit/button/button.tsx'
import { useAllShortcuts } from '../../../kit/keyboard/shortcuts.tsx'
import { Switch } from '../../../kit/fields/checkbox.tsx'
import { useMutation } from '@tanstack/react-query'
import type { SessionUser } from '../../../api/token.ts'
import { useSavePreferences } from '../../../api/own-account.ts'
import { useToasts } from '../../../kit/feedback/toast.tsx'

/** A user's own preferences. Each change takes effect immediately, in all windows. */
export function ProfilePage() {
  const t = useText()
  const product = useProductName()
  const preferences = usePreferences()
  usePageTitle(t('profile.title'))
  return (
    <Page title={t('profile.title')} hint={t('profile.text', { product })}>
      <AppearanceCard {...preferences} />
      <FilesCard {...preferences} />
    </Page>
  )
}

/** Appearance. Theme and row height are stored in the browser, everything else in the account. */
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
          onChange={theme.setDensity}
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

type Choice = 'hideDotfiles' | 'singleClick' | 'dateFormat' | 'redirectAfterCopyMove'

const CHOICES: readonly [Choice, label: MessageId, hint: MessageId][] = [
  ['hideDotfiles', 'profile.hideDotfiles', 'profile.hideDotfilesText'],
  ['singleClick', 'profile.singleClick', 'profile.singleClickText'],
  ['dateFormat', 'profile.exactDates', 'profile.exactDatesText'],
  ['redirectAfterCopyMove', 'profile.redirect', 'profile.redirectText'],
]

const MINUTE = 60_000

/** How files are shown, and what clicks and keys do. */
export function FilesCard({ values, set }: PreferenceStore) {
  const t = useText()
  const format = useFormat()
  const [now] = useState(() => new Date())
  const example = {
    exact: format.dateTime(now),
    relative: format.relativeTime(new Date(now.getTime() - 3 * MINUTE), now),
  }
  return (
    <SettingCard title={t('files.files')}>
      {CHOICES.map(([choice, label, hint]) => (
        <SettingRow key={choice} label={t(label)} hint={t(hint, example)}>
          {(control) => (
            <Switch {...control} checked={values[choice]} onChange={(checked) => set({ [choice]: checked })} />
          )}
        </SettingRow>
      ))}
      <SettingRow label={t('profile.keys')} hint={t('profile.keysText')}>
        <HelpButton />
      </SettingRow>
    </SettingCard>
  )
}

function HelpButton() {
  const t = useText()
  const help = useAllShortcuts().find(({ keys }) => keys === 'F1')
  return (
    <Button icon="help" onClick={() => help?.run?.(new KeyboardEvent('keydown'))}>
      {t('profile.showKeys')}
    </Button>
  )
}

type Preferences = Pick<
  SessionUser,
  'locale' | 'singleClick' | 'redirectAfterCopyMove' | 'hideDotfiles' | 'dateFormat' | 'aceEditorTheme'
>

export interface PreferenceStore {
  readonly values: Preferences
  /** Applies a change at once and saves it in the background. Reverts it with a message if saving fails. */
  set(change: Partial<Preferences>): void
}

const NOTHING: Preferences = {
  locale: '',
  singleClick: false,
  redirectAfterCopyMove: false,
  hideDotfiles: false,
  dateFormat: false,
  aceEditorTheme: '',
}

export function usePreferences(): PreferenceStore {
  const t = useText()
  const user = useUser()
  const savePreferences = useSavePreferences()
  const toasts = useToasts()
  const [pending, setPending] = useState<Partial<Preferences>>({})
  const { mutate } = useMutation({
    // One at a time: an older change must not overwrite a newer one.
    scope: { id: 'preferences' },
    mutationFn: savePreferences,
    onSuccess: () => toasts.success(t('profile.saved')),
    onError: () => toasts.error(t('profile.notSaved')),
    onSettled: (_, _error, change) =>
      setPending((before) => Object.fromEntries(Object.entries(before).filter(([key]) => !(key in change)))),
  })
  return {
    values: { ...NOTHING, ...user, ...pending },
    set(change) {
      setPending((before) => ({ ...before, ...change }))
      mutate(change)
    },
  }
}
