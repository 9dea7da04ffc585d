import { getSignInSettings } from '../../../../../src/api/settings/settings.ts'
import { SignInChange, type SignInView } from '../../../../../src/domain/accounts/auth-method.ts'
import type { GroupId } from '../../../../../src/domain/ids.ts'
import { type FormField, formOf } from '../../../../../src/domain/schema/forms.ts'
import { valueAt } from '../../../../../src/domain/schema/schema-tools.ts'
import { useClient } from '../../../api/client.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Checkbox } from '../../../kit/fields/checkbox.tsx'
import { SettingCard, SettingRow } from '../../../kit/page/settings.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { FormRow } from '../../forms/form-row.tsx'
import { useFieldTexts } from '../../forms/form-text.ts'
import { saveConfirmed } from '../../forms/use-form.ts'
import { FormFooter, useSchemaForm } from '../../forms/use-schema-form.tsx'
import { useGroups } from '../../groups/use-groups.ts'
import { useSaveSignIn } from './use-save-sign-in.ts'
import styles from './second-factor-section.module.css'

interface Values extends Readonly<Record<string, unknown>> {
  readonly secondFactor: SignInView['secondFactor']
}

const FIELDS: readonly FormField[] = formOf(SignInChange)
  .flatMap(({ fields }) => fields)
  .filter(({ key }) => key.startsWith('secondFactor.'))

/** Who must have a second step, and how long they may take to set it up. */
export function SecondFactorSection() {
  const t = useText()
  const client = useClient()
  const toasts = useToasts()
  const save = useSaveSignIn()
  const form = useSchemaForm<Values>({
    queryKey: ['settings', 'second-factor'],
    fields: FIELDS,
    form: 'signin',
    load: async (signal) => {
      const { secondFactor } = await client.call(getSignInSettings, { signal })
      return { value: { secondFactor }, etag: null }
    },
    save: async ({ secondFactor }) => await saveConfirmed(save({ secondFactor })),
    onSaved: () => toasts.success(t('signin.saved')),
  })
  const { value } = form
  if (value === undefined) return null
  const { required } = value.secondFactor
  const isShown = ({ key }: FormField): boolean =>
    key === 'secondFactor.grace' ? required !== 'nobody' : key === 'secondFactor.groups' ? required === 'groups' : true
  return (
    <SettingCard
      title={t('signin.secondStep')}
      hint={t('signin.secondStepHint')}
      onSubmit={() => void form.save()}
      footer={form.changed.length > 0 && <FormFooter form={form} />}
    >
      {FIELDS.filter(isShown).map((field) =>
        field.widget === 'groups' ? (
          <GroupsRow
            key={field.key}
            field={field}
            chosen={value.secondFactor.groups}
            onChange={(next) => form.set(field, next)}
          />
        ) : (
          <FormRow
            key={field.key}
            field={field}
            form="signin"
            value={valueAt(value, field.leaf.path)}
            onChange={(next) => form.set(field, next)}
            error={form.errorOf(field)}
          />
        ),
      )}
    </SettingCard>
  )
}

interface GroupsRowProps {
  readonly field: FormField
  readonly chosen: readonly GroupId[]
  readonly onChange: (chosen: readonly GroupId[]) => void
}

/** The groups by their names; those that are gone stay until another choice is saved. */
function GroupsRow({ field, chosen, onChange }: GroupsRowProps) {
  const t = useText()
  const texts = useFieldTexts('signin')(field)
  const groups = useGroups() ?? []
  const choose = (id: GroupId, on: boolean): void =>
    onChange(groups.map((group) => group.id).filter((each) => (each === id ? on : chosen.includes(each))))
  return (
    <SettingRow label={texts.label} wide>
      <div className={styles['groups']} role="group" aria-label={texts.label}>
        {groups.map(({ id, name }) => (
          <Checkbox
            key={id}
            checked={chosen.includes(id)}
            label={<bdi>{name}</bdi>}
            onChange={(on) => choose(id, on)}
          />
        ))}
        {groups.length === 0 && <span className="subtle">{t('groups.none')}</span>}
      </div>
    </SettingRow>
  )
}
