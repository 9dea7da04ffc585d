import { useState } from 'react'
import { cleanVirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import type { RootView } from '../../../../src/domain/server/root.ts'
import { useText, useTextPart } from '../../i18n/use-text.tsx'
import { AppLink, Button, IconButton } from '../../kit/button/button.tsx'
import { Segmented } from '../../kit/button/toggles.tsx'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../kit/dialog/prompt-stack.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { Avatar } from '../../kit/text/names.tsx'
import { useGroups } from '../groups/use-groups.ts'
import { NameField, type Named } from '../places/name-field.tsx'
import { PlaceFolder, PlacePermissions } from '../places/place-fields.tsx'
import { EMPTY_PLACE, type GivenPermissions, withPermissions } from '../places/place-model.ts'
import { FolderText, PermissionsText } from '../places/place-texts.tsx'
import { type Receiver, useGive } from '../places/use-give.ts'
import { useUsers } from '../users/use-users.ts'
import { type Holder, holdersOf } from './root-holders.ts'
import styles from './roots.module.css'

interface PeoplePromptProps {
  readonly root: RootView
}

/** Shown at once: thousands may live in a root. */
const SHOWN = 50

/** Who has folders of a root. Each change is saved at once. */
export function PeoplePrompt({ root, close }: PeoplePromptProps & PromptProps<never>) {
  useTextPart('groups', 'users', 'fields', 'roots')
  const t = useText()
  const [limit, setLimit] = useState(SHOWN)
  const users = useUsers()
  const groups = useGroups()
  const { give, take } = useGive(root)
  const holders = holdersOf(root.id, users ?? [], groups ?? [])
  return (
    <Dialog
      size="medium"
      title={t('roots.peopleOf', { name: root.name })}
      onClose={() => close()}
      footer={<Button onClick={() => close()}>{t('kit.close')}</Button>}
    >
      <GiveForm root={root} users={users ?? []} groups={groups ?? []} onGive={give} />
      {users !== undefined && groups !== undefined && holders.length === 0 && (
        <p className="small muted">{t('roots.nobody')}</p>
      )}
      {holders.length > 0 && (
        <ul className={styles['holders']} aria-label={t('roots.people')}>
          {holders.slice(0, limit).map((holder) => (
            <HolderRow key={holder.key} holder={holder} onTake={take} />
          ))}
        </ul>
      )}
      {holders.length > limit && (
        <Button size="small" onClick={() => setLimit(limit + SHOWN)}>
          {t('users.more', { count: holders.length - limit })}
        </Button>
      )}
    </Dialog>
  )
}

interface GiveFormProps {
  readonly root: RootView
  readonly users: readonly { readonly id: number; readonly username: string }[]
  readonly groups: readonly Named[]
  readonly onGive: ReturnType<typeof useGive>['give']
}

function GiveForm({ root, users, groups, onGive }: GiveFormProps) {
  const t = useText()
  const [kind, setKind] = useState<Receiver['kind']>('user')
  const [typed, setTyped] = useState('')
  const [scope, setScope] = useState('/')
  const [given, setGiven] = useState<GivenPermissions>()
  const names: readonly Named[] = kind === 'group' ? groups : users.map(({ id, username: name }) => ({ id, name }))
  const submit = async (found: Named): Promise<void> => {
    const place = withPermissions({ ...EMPTY_PLACE, root: root.id, scope: cleanVirtualPath(scope) }, given)
    if (await onGive({ kind, id: String(found.id), name: found.name }, place)) setTyped('')
  }
  return (
    <div className={styles['give']} role="group" aria-label={t('roots.give')}>
      <Segmented
        label={t('roots.give')}
        options={[
          { value: 'user', label: t('users.one') },
          { value: 'group', label: t('roots.group') },
        ]}
        value={kind}
        onChange={(next) => {
          setKind(next)
          setTyped('')
        }}
      />
      <NameField
        key={kind}
        label={t(kind === 'user' ? 'users.one' : 'roots.group')}
        submitLabel={t('roots.give')}
        names={names}
        typed={typed}
        onType={setTyped}
        onSubmit={(found) => void submit(found)}
      >
        <PlaceFolder root={root.id} value={scope} onChange={setScope} />
        <PlacePermissions root={root} value={given} onChange={setGiven} />
      </NameField>
    </div>
  )
}

interface HolderRowProps {
  readonly holder: Holder
  readonly onTake: ReturnType<typeof useGive>['take']
}

function HolderRow({ holder: { receiver, place, scope }, onTake }: HolderRowProps) {
  const t = useText()
  const { kind, id, name } = receiver
  return (
    <li className={styles['holder']}>
      {kind === 'user' ? (
        <Avatar name={name} />
      ) : (
        <span className={styles['badge']}>
          <Icon name="users" size={16} />
        </span>
      )}
      <div className={styles['words']}>
        <p className="clip">
          <AppLink className="link touch" to={`/settings/${kind}s/${id}`}>
            <bdi>{name}</bdi>
          </AppLink>
        </p>
        <p className="tiny subtle">
          <FolderText scope={scope} />
          {' · '}
          {place === undefined ? t('roots.ownFolder') : <PermissionsText given={place.permissions} />}
        </p>
      </div>
      {place && (
        <IconButton
          icon="x"
          size="small"
          label={t('groups.removeOne', { name })}
          onClick={() => void onTake(receiver, place)}
        />
      )}
    </li>
  )
}
