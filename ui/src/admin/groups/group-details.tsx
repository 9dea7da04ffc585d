import { useQueryClient } from '@tanstack/react-query'
import { changeGroup, changeMembers, getGroup, removeGroup } from '../../../../src/api/accounts/groups.ts'
import { GroupChange, type GroupView } from '../../../../src/domain/accounts/group.ts'
import { type FormField, formOf } from '../../../../src/domain/schema/forms.ts'
import { ApiError } from '../../api/api-error.ts'
import { useClient } from '../../api/client.ts'
import { useConfig } from '../../api/page-config.tsx'
import { useConfirmed } from '../../common/confirm-prompt.tsx'
import { refusalOf } from '../../common/refusal.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { ErrorNote } from '../../kit/feedback/note.tsx'
import { Spinner } from '../../kit/feedback/progress.tsx'
import { TextField } from '../../kit/fields/text-field.tsx'
import { SettingCard } from '../../kit/page/settings.tsx'
import { useNavigateTo } from '../../lib/navigation/navigation.tsx'
import { type Field, fieldOfError } from '../forms/form-model.ts'
import { FormRow } from '../forms/form-row.tsx'
import { PermissionFields } from '../forms/permission-fields.tsx'
import { UnsavedChanges } from '../forms/unsaved-changes.tsx'
import { type Form, saveConfirmed, useForm } from '../forms/use-form.ts'
import { useReportFailure } from '../forms/use-report-failure.ts'
import { PlacesCard } from '../places/places-card.tsx'
import { RulesSection } from '../rules/rules-section.tsx'
import styles from './groups-page.module.css'
import { type ChangeOfMembers, MembersCard, NO_CHANGE } from './members-card.tsx'
import { MAX_NAME, nameProblem } from './new-group-prompt.tsx'

/** A group with what is to become of its members. */
interface EditedGroup extends GroupView {
  readonly change: ChangeOfMembers
}

type GroupField = Field & { readonly key: keyof GroupChange | 'change' }
type GroupForm = Form<EditedGroup, GroupField>

const FIELDS: readonly GroupField[] = (
  ['name', 'perm', 'places', 'rules', 'permissionRules', 'quota', 'quotaFiles', 'change'] as const
).map((key) => ({ key, leaf: { path: [key] } }))

const LIMITS: readonly FormField[] = formOf(GroupChange)
  .flatMap(({ fields }) => fields)
  .filter(({ key }) => key === 'quota' || key === 'quotaFiles')

function fieldNamed(key: GroupField['key']): GroupField {
  return FIELDS.find((field) => field.key === key) ?? { key, leaf: { path: [key] } }
}

/** One group: its members, and what it gives them. */
export function GroupDetails({ id }: { readonly id: string }) {
  const t = useText()
  const form = useGroupForm(id)
  const remove = useDelete(form)
  const { value: group } = form
  if (group === undefined) {
    return (
      <div className={styles['wait']} role="status">
        <Spinner size={24} />
      </div>
    )
  }
  return (
    <div className={styles['group']}>
      <div className={styles['head']}>
        <h2>
          <bdi>{group.name}</bdi>
        </h2>
        <Button variant="danger-quiet" size="small" onClick={() => void remove(group)}>
          {t('groups.delete')}
        </Button>
      </div>
      {form.refused && <ErrorNote>{isShownAtField(form.refused) ? undefined : refusalOf(form.refused)}</ErrorNote>}
      <MembersCard
        members={group.members}
        change={group.change}
        onChange={(change) => form.set(fieldNamed('change'), change)}
      />
      <Given group={group} form={form} />
      <UnsavedChanges
        count={form.changed.length}
        busy={form.busy}
        onSave={async () => await form.save()}
        onDiscard={form.discard}
      />
    </div>
  )
}

interface GivenProps {
  readonly group: EditedGroup
  readonly form: GroupForm
}

function Given({ group, form }: GivenProps) {
  const t = useText()
  const { EnableExec } = useConfig()
  const set = (key: keyof GroupChange, value: unknown): void => form.set(fieldNamed(key), value)
  const { name, perm, places, rules, permissionRules, members } = group
  const given = { rules, permissionRules, perm }
  const isChanged = form.changed.some(({ key }) => key in given)
  const people = members.map((member) => ({ value: `id:${member.id}`, label: member.username }))
  return (
    <>
      <PlacesCard
        hint={t('roots.placesOfGroup')}
        places={places}
        error={form.errorOf(fieldNamed('places'))}
        onChange={(next) => set('places', next)}
      />
      <SettingCard title={t('permissions.title')} hint={t('groups.permissionsText')}>
        <div className={styles['box']}>
          <PermissionFields
            perm={{ ...perm, admin: false }}
            withCommands={EnableExec}
            withoutAdmin
            onChange={({ admin: _none, ...given }) => set('perm', given)}
          />
        </div>
      </SettingCard>
      <RulesSection
        list="group"
        group={name}
        hint={t('groups.rulesText')}
        rules={rules}
        error={form.refused}
        onChange={(next) => set('rules', [...next])}
        permissionRules={permissionRules}
        onPermissions={(next) => set('permissionRules', [...next])}
        why={
          people.length === 0
            ? undefined
            : { users: people, supposed: isChanged ? { group: { id: group.id, ...given } } : undefined }
        }
      />
      <SettingCard title={t('fields.quota')} hint={t('groups.quotaText')}>
        {LIMITS.map((field) => (
          <FormRow
            key={field.key}
            field={field}
            value={group[field.key as 'quota']}
            error={form.errorOf(fieldNamed(field.key as 'quota'))}
            onChange={(value) => set(field.key as 'quota', value)}
          />
        ))}
      </SettingCard>
      <SettingCard title={t('files.name')}>
        <div className={styles['box']}>
          <TextField
            label={<span className="visually-hidden">{t('files.name')}</span>}
            value={name}
            maxLength={MAX_NAME}
            autoComplete="off"
            error={form.refused?.field === 'name' ? nameProblem(t, form.refused) : form.errorOf(fieldNamed('name'))}
            onChange={(event) => set('name', event.currentTarget.value)}
          />
        </div>
      </SettingCard>
    </>
  )
}

function useGroupForm(id: string): GroupForm {
  const t = useText()
  const client = useClient()
  const confirmed = useConfirmed()
  const queries = useQueryClient()
  const reportFailure = useReportFailure()
  return useForm<EditedGroup, GroupField>({
    queryKey: ['groups', id],
    fields: FIELDS,
    async load(signal) {
      const group = await client.call(getGroup, { params: { id }, signal })
      return { value: { ...group, change: NO_CHANGE }, etag: null }
    },
    problemsOf({ name, quota, quotaFiles }: Unparsed<EditedGroup>) {
      const problems = new Map<string, string>()
      if (name.trim() === '') problems.set('name', t('form.empty'))
      if (quota === undefined) problems.set('quota', t('form.size'))
      if (quotaFiles === undefined) problems.set('quotaFiles', t('form.number'))
      return problems
    },
    save: async (group, _etag, changed) =>
      await saveConfirmed(
        confirmed({
          title: t('users.saveTitle', { name: group.name.trim() }),
          label: t('settings.save'),
          send: async (password) => {
            const proof = password === undefined ? {} : { current_password: password }
            const given = changed.filter(({ key }) => key !== 'change').map(({ key }) => [key, group[key]] as const)
            const body: GroupChange = Object.fromEntries(given)
            if (given.length > 0) await client.call(changeGroup, { params: { id }, body: { ...body, ...proof } })
            if (given.length === changed.length) return
            const { add, remove } = group.change
            const members = { add: add.map((member) => member.id), remove: [...remove], ...proof }
            await client.call(changeMembers, { params: { id }, body: members })
          },
        }),
      ),
    onSaved() {
      void queries.invalidateQueries({ queryKey: ['groups'], exact: true })
      void queries.invalidateQueries({ queryKey: ['users'] })
      void queries.invalidateQueries({ queryKey: ['roots'], exact: true })
      void queries.invalidateQueries({ queryKey: ['quotas'] })
      void queries.invalidateQueries({ queryKey: ['why'] })
    },
    report(error) {
      if (!(error instanceof ApiError)) reportFailure(error)
    },
  })
}

/** Inputs that cannot be parsed have no value. */
type Unparsed<G extends EditedGroup> = Omit<G, 'quota' | 'quotaFiles'> & {
  readonly quota: number | undefined
  readonly quotaFiles: number | undefined
}

/** Deletes the group after a confirmation, then shows another one. */
function useDelete(form: Pick<GroupForm, 'discard'>): (group: EditedGroup) => Promise<void> {
  const t = useText()
  const client = useClient()
  const confirmed = useConfirmed()
  const queries = useQueryClient()
  const navigateTo = useNavigateTo()
  return async ({ id, name }) => {
    const outcome = await confirmed({
      title: t('groups.deleteTitle', { name }),
      text: t('groups.deleteText'),
      label: t('groups.delete'),
      danger: true,
      always: true,
      explain: refusalOf,
      send: async (password) => {
        const body = password === undefined ? {} : { current_password: password }
        await client.call(removeGroup, { params: { id }, body })
      },
    })
    if (outcome !== true) return
    form.discard()
    navigateTo('/settings/groups', { replace: true })
    void queries.invalidateQueries({ queryKey: ['groups'], exact: true })
    void queries.invalidateQueries({ queryKey: ['users'] })
  }
}

/** The form shows it beside the field. */
function isShownAtField({ field }: ApiError): boolean {
  return field === 'name' || fieldOfError(FIELDS, field)?.key === 'places'
}
