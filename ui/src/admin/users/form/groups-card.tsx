import { useMemo } from 'react'
import type { GroupSummary } from '../../../../../src/domain/accounts/group.ts'
import { useConfig } from '../../../api/page-config.tsx'
import { useLocale, useText } from '../../../i18n/use-text.tsx'
import { AppLink } from '../../../kit/button/button.tsx'
import { Checkbox } from '../../../kit/fields/checkbox.tsx'
import { SettingCard, SettingRow } from '../../../kit/page/settings.tsx'
import { PERMISSION_TEXTS, PLAIN_PERMISSIONS, type PlainPermission } from '../../forms/permission-fields.tsx'
import { useGroups } from '../../groups/use-groups.ts'
import { createMayText } from '../list/use-user-columns.tsx'
import type { UserForm } from './use-user-form.ts'
import styles from './user-page.module.css'

/** The groups of the account with what each gives, and what the account never has. Nothing while there are no groups. */
export function GroupsCard({ form }: { readonly form: UserForm }) {
  const t = useText()
  const { EnableExec } = useConfig()
  const groups = useGroups()
  const { draft, user, set } = form
  if (groups === undefined || (groups.length === 0 && draft.denied.length === 0)) return null
  const ids = new Set(user?.groups?.map(({ id }) => id))
  const own = groups.filter(({ id }) => ids.has(id))
  const deny = (name: PlainPermission, on: boolean): void => {
    const denied = PLAIN_PERMISSIONS.filter((each) => (each === name ? on : draft.denied.includes(each)))
    set({ denied })
  }
  return (
    <SettingCard title={t('shell.groups')} hint={t('users.groupsText')}>
      {own.length === 0 ? (
        <p className={styles['stack']}>{t('users.noGroups')}</p>
      ) : (
        own.map((group) => <GivenRow key={group.id} group={group} />)
      )}
      <SettingRow label={t('fields.denied')} wide>
        <div className={styles['denials']} role="group" aria-label={t('fields.denied')}>
          {PLAIN_PERMISSIONS.filter((name) => EnableExec || name !== 'execute').map((name) => (
            <Checkbox
              key={name}
              checked={draft.denied.includes(name)}
              label={t(PERMISSION_TEXTS[name].label)}
              onChange={(on) => deny(name, on)}
            />
          ))}
        </div>
      </SettingRow>
    </SettingCard>
  )
}

function GivenRow({ group }: { readonly group: GroupSummary }) {
  const t = useText()
  const locale = useLocale()
  const { EnableExec } = useConfig()
  const may = useMemo(() => createMayText(t, locale, EnableExec), [EnableExec, locale, t])
  return (
    <SettingRow
      label={
        <AppLink className="link touch" to={`/settings/groups/${group.id}`}>
          <bdi>{group.name}</bdi>
        </AppLink>
      }
    >
      <span className="subtle">{may(group.perm)}</span>
    </SettingRow>
  )
}
