import type { SORT_KEYS, Sorting } from '../../../../../src/domain/files/sorting.ts'
import { type MessageId, useText } from '../../../i18n/use-text.tsx'
import { Select } from '../../../kit/fields/select.tsx'
import { SettingCard, SettingRow } from '../../../kit/page/settings.tsx'
import { Switch } from '../../../kit/fields/checkbox.tsx'
import { useEditorThemeOptions } from '../../forms/form-text.ts'
import type { UserForm } from './use-user-form.ts'

type SwitchField = 'hideDotfiles' | 'singleClick' | 'dateFormat' | 'redirectAfterCopyMove'

const SWITCHES: readonly (readonly [SwitchField, MessageId])[] = [
  ['hideDotfiles', 'profile.hideDotfiles'],
  ['singleClick', 'profile.singleClick'],
  ['dateFormat', 'profile.exactDates'],
  ['redirectAfterCopyMove', 'profile.redirect'],
]

const VIEWS = [
  ['list', 'files.viewList'],
  ['mosaic', 'files.viewMosaic'],
  ['mosaic gallery', 'files.viewGallery'],
] as const

/** Sorting by name is inverted in the API: `asc: false` is A to Z. */
const ORDERS: readonly (readonly [by: SortKey, asc: boolean, label: MessageId])[] = [
  ['name', false, 'files.sortAToZ'],
  ['name', true, 'files.sortZToA'],
  ['size', true, 'files.sortSmallest'],
  ['size', false, 'files.sortLargest'],
  ['modified', true, 'files.sortOldest'],
  ['modified', false, 'files.sortNewest'],
  ['type', true, 'files.sortAToZ'],
  ['type', false, 'files.sortZToA'],
]
type SortKey = (typeof SORT_KEYS)[number]

const COLUMNS: Readonly<Record<SortKey, MessageId>> = {
  name: 'files.name',
  size: 'files.size',
  modified: 'files.modified',
  type: 'files.type',
}

/** Preferences, which users can also change themselves. */
export function PreferencesCard({ form }: { readonly form: UserForm }) {
  const t = useText()
  const themes = useEditorThemeOptions()
  const { draft, set } = form
  return (
    <SettingCard title={t('users.preferences')} hint={t('users.preferencesText')}>
      <SettingRow label={t('files.view')}>
        {(control) => (
          <Select
            {...control}
            options={VIEWS.map(([value, label]) => ({ value, label: t(label) }))}
            value={draft.viewMode}
            onChange={(viewMode) => set({ viewMode })}
          />
        )}
      </SettingRow>
      <SettingRow label={t('files.sortBy')}>
        {(control) => (
          <Select
            {...control}
            options={ORDERS.map(([by, asc, label]) => ({
              value: orderId({ by, asc }),
              label: t(label),
              group: t(COLUMNS[by]),
            }))}
            value={orderId(draft.sorting)}
            onChange={(chosen) => {
              const order = ORDERS.find(([by, asc]) => orderId({ by, asc }) === chosen)
              if (order !== undefined) set({ sorting: { by: order[0], asc: order[1] } })
            }}
          />
        )}
      </SettingRow>
      {SWITCHES.map(([field, label]) => (
        <SettingRow key={field} label={t(label)}>
          {(control) => <Switch {...control} checked={draft[field]} onChange={(on) => set({ [field]: on })} />}
        </SettingRow>
      ))}
      <SettingRow label={t('profile.editorTheme')}>
        {(control) => (
          <Select
            {...control}
            options={themes}
            value={draft.aceEditorTheme}
            onChange={(aceEditorTheme) => set({ aceEditorTheme })}
          />
        )}
      </SettingRow>
    </SettingCard>
  )
}

function orderId({ by, asc }: Sorting): string {
  return `${by || 'name'} ${asc ? 'up' : 'down'}`
}
