import { useId, useState } from 'react'
import type { GroupMember } from '../../../../src/domain/accounts/group.ts'
import { foldName } from '../../../../src/domain/text/fold.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { Badge } from '../../kit/feedback/note.tsx'
import { TextField } from '../../kit/fields/text-field.tsx'
import { SettingCard } from '../../kit/page/settings.tsx'
import { Avatar } from '../../kit/text/names.tsx'
import { useUsers } from '../users/use-users.ts'
import styles from './groups-page.module.css'

/** Names shown at once: a group may have thousands of members. */
const SHOWN = 100
/** Names that are suggested while one is typed. */
const SUGGESTED = 20

/** Who is to become a member, and who is not to be one any more. */
export interface ChangeOfMembers {
  readonly add: readonly GroupMember[]
  readonly remove: readonly GroupMember['id'][]
}

export const NO_CHANGE: ChangeOfMembers = { add: [], remove: [] }

interface MembersCardProps {
  /** As they are saved. */
  readonly members: readonly GroupMember[]
  readonly change: ChangeOfMembers
  readonly onChange: (change: ChangeOfMembers) => void
}

/** The members of a group. */
export function MembersCard({ members, change: { add, remove }, onChange }: MembersCardProps) {
  const t = useText()
  const [limit, setLimit] = useState(SHOWN)
  const stays = ({ id }: GroupMember) => !remove.includes(id)
  const isAdded = ({ id }: GroupMember) => add.some((each) => each.id === id)
  const chosen = [...members.filter((member) => member.by === 'hand' && stays(member)), ...add]
  const provided = members.filter((member) => member.by === 'provider' && !isAdded(member)).length
  const join = (member: GroupMember): void =>
    stays(member)
      ? onChange({ add: [...add, member], remove })
      : onChange({ add, remove: remove.filter((id) => id !== member.id) })
  const leave = (member: GroupMember): void =>
    isAdded(member)
      ? onChange({ add: add.filter(({ id }) => id !== member.id), remove })
      : onChange({ add, remove: [...remove, member.id] })
  return (
    <SettingCard
      title={t('groups.members')}
      hint={<span role="status">{t('groups.people', { count: chosen.length + provided })}</span>}
    >
      {chosen.length + provided > 0 && (
        <div className={styles['people']}>
          <ul aria-label={t('groups.members')}>
            {chosen.slice(0, limit).map((member) => (
              <MemberChip key={member.id} member={member} onRemove={() => leave(member)} />
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
      <AddMember chosen={chosen} onAdd={join} />
    </SettingCard>
  )
}

interface MemberChipProps {
  readonly member: GroupMember
  readonly onRemove: () => void
}

function MemberChip({ member: { username }, onRemove }: MemberChipProps) {
  const t = useText()
  return (
    <li className={styles['person']}>
      <Avatar name={username} />
      <bdi className="clip">{username}</bdi>
      <IconButton icon="x" size="small" label={t('groups.removeOne', { name: username })} onClick={onRemove} />
    </li>
  )
}

interface AddMemberProps {
  readonly chosen: readonly GroupMember[]
  readonly onAdd: (member: GroupMember) => void
}

/** A name is typed, or chosen from those that are suggested. */
function AddMember({ chosen, onAdd }: AddMemberProps) {
  const t = useText()
  const users = useUsers() ?? []
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [isUnknown, setUnknown] = useState(false)
  const present = new Set(chosen.map(({ id }) => id))
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
    onAdd({ id: found.id, username: found.username, by: 'hand' })
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
