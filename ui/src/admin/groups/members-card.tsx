import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { changeMembers } from '../../../../src/api/accounts/groups.ts'
import type { GroupMember, GroupView, MembersChange } from '../../../../src/domain/accounts/group.ts'
import { foldName } from '../../../../src/domain/text/fold.ts'
import { useClient } from '../../api/client.ts'
import { problemOf, problemText } from '../../common/problem-text.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { Badge } from '../../kit/feedback/note.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { TextField } from '../../kit/fields/text-field.tsx'
import { SettingCard } from '../../kit/page/settings.tsx'
import { Avatar } from '../../kit/text/names.tsx'
import { useUsers } from '../users/use-users.ts'
import styles from './groups-page.module.css'

/** Names shown at once: a group may have thousands of members. */
const SHOWN = 100
/** Names that are suggested while one is typed. */
const SUGGESTED = 20

/** The members of a group. Changes are saved at once. */
export function MembersCard({ group }: { readonly group: GroupView }) {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const [limit, setLimit] = useState(SHOWN)
  const change = useMutation({
    mutationFn: async (body: MembersChange) => await client.call(changeMembers, { params: { id: group.id }, body }),
    onError: (error: Error) => toasts.error(problemText(t, problemOf(error))),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ['groups'] })
      void queries.invalidateQueries({ queryKey: ['users'] })
    },
  })
  const chosen = group.members.filter(({ by }) => by === 'hand')
  const provided = group.members.length - chosen.length
  return (
    <SettingCard
      title={t('groups.members')}
      hint={<span role="status">{t('groups.people', { count: group.members.length })}</span>}
    >
      {group.members.length > 0 && (
        <div className={styles['people']}>
          <ul aria-label={t('groups.members')}>
            {chosen.slice(0, limit).map((member) => (
              <MemberChip
                key={member.id}
                member={member}
                disabled={change.isPending}
                onRemove={() => change.mutate({ remove: [member.id] })}
              />
            ))}
          </ul>
          {chosen.length > limit && (
            <Button size="small" onClick={() => setLimit(limit + SHOWN)}>
              {t('users.more', { count: chosen.length - limit })}
            </Button>
          )}
          {provided > 0 && <Badge icon="key">{t('groups.fromProviders', { count: provided })}</Badge>}
        </div>
      )}
      <AddMember members={group.members} onAdd={(id) => change.mutate({ add: [id] })} />
    </SettingCard>
  )
}

interface MemberChipProps {
  readonly member: GroupMember
  readonly disabled: boolean
  readonly onRemove: () => void
}

function MemberChip({ member: { username }, disabled, onRemove }: MemberChipProps) {
  const t = useText()
  return (
    <li className={styles['person']}>
      <Avatar name={username} />
      <bdi className="clip">{username}</bdi>
      <IconButton
        icon="x"
        size="small"
        label={t('groups.removeOne', { name: username })}
        disabled={disabled}
        onClick={onRemove}
      />
    </li>
  )
}

interface AddMemberProps {
  readonly members: readonly GroupMember[]
  readonly onAdd: (id: GroupMember['id']) => void
}

/** A name is typed, or chosen from those that are suggested. */
function AddMember({ members, onAdd }: AddMemberProps) {
  const t = useText()
  const users = useUsers() ?? []
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [isUnknown, setUnknown] = useState(false)
  const present = new Set(members.filter(({ by }) => by === 'hand').map(({ id }) => id))
  const others = users.filter(({ id }) => !present.has(id))
  const folded = foldName(typed.trim())
  const suggested = others.filter(({ username }) => foldName(username).includes(folded)).slice(0, SUGGESTED)
  const submit = (): void => {
    const found =
      others.find(({ username }) => username === typed.trim()) ??
      others.find(({ username }) => foldName(username) === folded)
    setUnknown(found === undefined && folded !== '')
    if (found === undefined) return
    setTyped('')
    onAdd(found.id)
  }
  return (
    <form
      className={styles['add']}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextField
        label={<span className="visually-hidden">{t('groups.add')}</span>}
        placeholder={t('groups.add')}
        icon="user-plus"
        list={listId}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        error={isUnknown && t('users.noneFound')}
        end={<IconButton icon="plus" size="small" type="submit" label={t('groups.add')} disabled={folded === ''} />}
        onChange={(event) => {
          setUnknown(false)
          setTyped(event.currentTarget.value)
        }}
      />
      <datalist id={listId}>
        {suggested.map(({ id, username }) => (
          <option key={id} value={username} />
        ))}
      </datalist>
    </form>
  )
}
