import { useState } from 'react'
import type { RootId } from '../../../../src/domain/ids.ts'
import type { RootView } from '../../../../src/domain/server/root.ts'
import { useText } from '../../i18n/use-text.tsx'
import { CODE_INPUT } from '../../kit/fields/inputs.tsx'
import { TextField } from '../../kit/fields/text-field.tsx'
import { FolderButton } from '../forms/folder-button.tsx'
import { SelectField } from '../forms/select-field.tsx'
import { PermissionChips } from '../rules/permission-chips.tsx'
import { type GivenPermissions, PERMISSION_SETS, permissionsOf, setOf } from './place-model.ts'

interface PlaceFolderProps {
  readonly root: RootId
  readonly value: string
  readonly onChange: (scope: string) => void
}

/** The folder of a root. */
export function PlaceFolder({ root, value, onChange }: PlaceFolderProps) {
  const t = useText()
  return (
    <TextField
      label={t('roots.folderInRoot')}
      hint={t('roots.folderHint')}
      value={value}
      maxLength={4096}
      {...CODE_INPUT}
      end={<FolderButton root={root} value={value} onChange={onChange} />}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface PlacePermissionsProps {
  /** Undefined if it is gone. */
  readonly root: RootView | undefined
  readonly value: GivenPermissions
  readonly onChange: (given: GivenPermissions) => void
}

/** What may be done in the place: a common set, or permissions one by one. */
export function PlacePermissions({ root, value, onChange }: PlacePermissionsProps) {
  const t = useText()
  const [isChosen, setChosen] = useState(() => setOf(value) === 'chosen')
  const shown = isChosen && value !== undefined ? 'chosen' : setOf(value)
  return (
    <>
      <SelectField
        label={t('permissions.title')}
        hint={root?.readOnly === true ? t('roots.readOnlyHint') : undefined}
        options={PERMISSION_SETS.map(([set, label]) => ({ value: set, label: t(label) }))}
        value={shown}
        onChange={(set) => {
          setChosen(set === 'chosen')
          onChange(permissionsOf(set, value))
        }}
      />
      {shown === 'chosen' && (
        <PermissionChips label={t('permissions.title')} chosen={value ?? []} onChange={onChange} />
      )}
    </>
  )
}
