import { useState } from 'react'
import { useFormat } from '../../../i18n/use-format.ts'
import { type MessageId, useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { SettingCard, SettingRow } from '../../../kit/page/settings.tsx'
import { useAllShortcuts } from '../../../kit/keyboard/shortcuts.tsx'
import { Switch } from '../../../kit/fields/checkbox.tsx'
import type { PreferenceStore } from './use-preferences.ts'

type Choice = 'hideDotfiles' | 'singleClick' | 'dateFormat' | 'redirectAfterCopyMove'

const CHOICES: readonly [Choice, label: MessageId, hint: MessageId][] = [
  ['hideDotfiles', 'profile.hideDotfiles', 'profile.hideDotfilesText'],
  ['singleClick', 'profile.singleClick', 'profile.singleClickText'],
  ['dateFormat', 'profile.exactDates', 'profile.exactDatesText'],
  ['redirectAfterCopyMove', 'profile.redirect', 'profile.redirectText'],
]

const MINUTE = 60_000

/** How files are shown, and what happens to them by which keys. */
export function FilesCard({ values, set }: PreferenceStore) {
  const t = useText()
  const format = useFormat()
  const [now] = useState(() => new Date())
  const example = {
    exact: format.dateTime(now),
    relative: format.relativeTime(new Date(now.getTime() - 3 * MINUTE), now),
  }
  return (
    <SettingCard title={t('profile.files')}>
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
