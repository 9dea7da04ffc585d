import { useQueryClient } from '@tanstack/react-query'
import type { GroupSummary } from '../../../../src/domain/accounts/group.ts'
import { usePageTitle } from '../../api/page-config.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { AppLink, Button } from '../../kit/button/button.tsx'
import { usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { EmptyState } from '../../kit/feedback/empty-state.tsx'
import { Spinner } from '../../kit/feedback/progress.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { Page } from '../../kit/page/page.tsx'
import { useNavigateTo } from '../../lib/navigation/navigation.tsx'
import { GroupDetails } from './group-details.tsx'
import styles from './groups-page.module.css'
import { NewGroupPrompt } from './new-group-prompt.tsx'
import { useGroups } from './use-groups.ts'

interface GroupsPageProps {
  /** The id of a group, or "" for the first one. */
  readonly param: string
}

/** All groups, and one of them. */
export function GroupsPage({ param }: GroupsPageProps) {
  const t = useText()
  const groups = useGroups()
  const ask = usePrompt()
  const navigateTo = useNavigateTo()
  const queries = useQueryClient()
  const chosen = param === '' ? groups?.[0] : groups?.find(({ id }) => id === param)
  usePageTitle(chosen?.name ?? t('shell.groups'))
  const make = async (): Promise<void> => {
    const id = await ask(NewGroupPrompt, {})
    if (id === undefined) return
    await queries.invalidateQueries({ queryKey: ['groups'], exact: true })
    navigateTo(`/settings/groups/${id}`)
  }
  return (
    <Page
      wide
      title={t('shell.groups')}
      hint={t('groups.text')}
      actions={
        <Button icon="plus" onClick={() => void make()}>
          {t('groups.new')}
        </Button>
      }
    >
      {groups === undefined && (
        <div className={styles['wait']} role="status">
          <Spinner size={24} />
        </div>
      )}
      {groups?.length === 0 && <EmptyState art={<Icon name="users" size={56} />} title={t('groups.none')} />}
      {groups !== undefined && groups.length > 0 && (
        <div className={styles['split']}>
          <GroupsNav groups={groups} current={chosen?.id} />
          {chosen === undefined ? (
            <EmptyState title={t('actions.notFound')} role="status" />
          ) : (
            <GroupDetails key={chosen.id} id={chosen.id} />
          )}
        </div>
      )}
    </Page>
  )
}

interface GroupsNavProps {
  readonly groups: readonly GroupSummary[]
  readonly current: string | undefined
}

function GroupsNav({ groups, current }: GroupsNavProps) {
  const t = useText()
  return (
    <nav aria-label={t('shell.groups')}>
      <ul className={styles['pick']}>
        {groups.map(({ id, name, members, places }) => (
          <li key={id}>
            <AppLink to={`/settings/groups/${id}`} aria-current={id === current ? 'page' : undefined}>
              <span className={styles['disc']}>
                <Icon name="users" />
              </span>
              <span className={styles['words']}>
                <bdi className="strong clip">{name}</bdi>
                <span className="tiny">
                  {t('groups.people', { count: members })}
                  {places.length > 0 && ` · ${t('roots.count', { count: places.length })}`}
                </span>
              </span>
            </AppLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
