import type { Mapping } from '../../../../../src/domain/accounts/provider.ts'
import type { GroupId } from '../../../../../src/domain/ids.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button, IconButton } from '../../../kit/button/button.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import { CODE_INPUT } from '../../../kit/fields/inputs.tsx'
import { Select } from '../../../kit/fields/select.tsx'
import { TextField } from '../../../kit/fields/text-field.tsx'
import { useGroups } from '../../groups/use-groups.ts'
import styles from './providers.module.css'

interface MappingFieldsProps {
  readonly mapping: readonly Mapping[]
  readonly onChange: (mapping: readonly Mapping[]) => void
}

const GIB = 1024 ** 3

/** What the claims of a person give, line by line. */
export function MappingFields({ mapping, onChange }: MappingFieldsProps) {
  const t = useText()
  const replace = (index: number, next: Mapping | undefined) =>
    onChange(mapping.flatMap((entry, at) => (at === index ? (next ?? []) : entry)))
  return (
    <fieldset className={styles['mapping']}>
      <legend className={styles['label']}>{t('providers.mapping')}</legend>
      {mapping.length > 0 && (
        <div className={styles['head']} aria-hidden="true">
          <span>{t('providers.claim')}</span>
          <span>{t('providers.value')}</span>
          <span />
          <span>{t('providers.gives')}</span>
        </div>
      )}
      {mapping.map((entry, index) => (
        <MappingRow
          // Lines have no name of their own.
          key={index}
          entry={entry}
          number={index + 1}
          onChange={(next) => replace(index, next)}
        />
      ))}
      <div>
        <Button
          size="small"
          icon="plus"
          onClick={() => onChange([...mapping, { claim: 'groups', value: '', administrator: true }])}
        >
          {t('providers.addMapping')}
        </Button>
      </div>
    </fieldset>
  )
}

interface MappingRowProps {
  readonly entry: Mapping
  readonly number: number
  readonly onChange: (next: Mapping | undefined) => void
}

function MappingRow({ entry, number, onChange }: MappingRowProps) {
  const t = useText()
  const groups = useGroups() ?? []
  const { claim, value, group, quota } = entry
  const chosen = quota === undefined ? (group === undefined ? 'administrator' : `group:${group}`) : 'quota'
  const gives = (choice: string): Pick<Mapping, 'administrator' | 'group' | 'quota'> => {
    if (choice === 'quota') return { quota: quota ?? GIB }
    return choice.startsWith('group:') ? { group: choice.slice('group:'.length) as GroupId } : { administrator: true }
  }
  return (
    <div className={styles['line']} role="group" aria-label={t('providers.mappingOne', { number })}>
      <TextField
        {...CODE_INPUT}
        aria-label={t('providers.claim')}
        value={claim}
        onChange={({ currentTarget }) => onChange({ ...entry, claim: currentTarget.value })}
      />
      <TextField
        {...CODE_INPUT}
        aria-label={t('providers.value')}
        value={value}
        onChange={({ currentTarget }) => onChange({ ...entry, value: currentTarget.value })}
      />
      <Icon name="arrow-right" size={16} flip />
      <div className={styles['gives']}>
        <Select
          label={t('providers.gives')}
          value={chosen}
          options={[
            ...groups.map(({ id, name }) => ({ value: `group:${id}`, label: t('providers.group', { name }) })),
            { value: 'administrator', label: t('permissions.admin') },
            { value: 'quota', label: t('providers.quota') },
          ]}
          onChange={(choice) => onChange({ claim, value, ...gives(choice) })}
        />
        {quota !== undefined && (
          <TextField
            aria-label={t('providers.quota')}
            type="number"
            min={1}
            value={String(Math.round(quota / GIB))}
            onChange={({ currentTarget }) =>
              onChange({ claim, value, quota: Math.max(1, Math.round(Number(currentTarget.value))) * GIB })
            }
          />
        )}
      </div>
      <IconButton
        icon="trash"
        size="small"
        label={t('providers.removeMapping', { number })}
        onClick={() => onChange(undefined)}
      />
    </div>
  )
}
