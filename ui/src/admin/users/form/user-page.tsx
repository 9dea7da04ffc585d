import { useEffect, useRef } from 'react'
import { usePageTitle } from '../../../api/page-config.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import { AppLink, Button } from '../../../kit/button/button.tsx'
import { Avatar } from '../../../kit/text/names.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import { ErrorNote } from '../../../kit/feedback/note.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { Spinner } from '../../../kit/feedback/progress.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { useNavigateTo } from '../../../lib/navigation/navigation.tsx'
import { AccountCard } from './account-card.tsx'
import { DevicesCard } from './devices-card.tsx'
import { FactorsCard } from './factors-card.tsx'
import { GroupsCard } from './groups-card.tsx'
import { PlacesCard } from '../../places/places-card.tsx'
import { PermissionCard, RulesCard } from './access-card.tsx'
import { PreferencesCard } from './preferences-card.tsx'
import { StorageCard } from './storage-card.tsx'
import { isForForm, type UserForm, useUserForm } from './use-user-form.ts'
import styles from './user-page.module.css'
import { SaveBar } from '../../../kit/page/settings.tsx'
import { UnsavedChanges } from '../../forms/unsaved-changes.tsx'
import { useLeaveGuard } from '../../../common/leave-guard.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { deleteUser } from '../../../../../src/api/accounts/users.ts'
import type { UserView } from '../../../../../src/domain/accounts/user.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client.ts'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { refusalOf } from '../../../common/refusal.tsx'
import { useConfirmed } from '../../../common/confirm-prompt.tsx'

interface UserPageProps {
  /** The id of an account, or "new". */
  readonly param: string
}

/** The form of one account. */
export function UserPage({ param }: UserPageProps) {
  const id = /^\d{1,15}$/.test(param) ? Number(param) : undefined
  if (id === undefined && param !== 'new') throw new ApiError({ status: 404, message: '' })
  // Each account starts with a fresh form.
  return <Account key={param} id={id} />
}

/** Without an id: a new account. */
function Account({ id }: { readonly id: number | undefined }) {
  const t = useText()
  const form = useUserForm(id)
  usePageTitle(form?.user?.username ?? t(id === undefined ? 'users.new' : 'users.one'))
  if (form === undefined) {
    return (
      <div className={styles['wait']} role="status">
        <Spinner size={24} />
        <span className="visually-hidden">{t('users.loadingOne')}</span>
      </div>
    )
  }
  return <LoadedUser form={form} />
}

function LoadedUser({ form }: { readonly form: UserForm }) {
  const t = useText()
  const remove = useDeleteUser(form)
  const box = useRef<HTMLFormElement>(null)
  const { user, isSelf, next, refused, wrong } = form
  const navigateTo = useNavigateTo()
  useEffect(() => {
    if (next !== undefined) navigateTo(next, { replace: true })
  }, [navigateTo, next])
  useEffect(() => {
    if (wrong) box.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-refusal]')?.focus()
  }, [wrong, refused])
  return (
    <Page
      title={
        <span className={styles['title']}>
          {user && <Avatar name={user.username} size="large" />}
          {user === undefined ? t('users.new') : <bdi>{user.username}</bdi>}
        </span>
      }
      hint={
        <AppLink to="/settings/users" className={classNames('link', 'touch', styles['back'])}>
          <Icon name="arrow-left" size={14} flip />
          {t('users.back')}
        </AppLink>
      }
      actions={
        user && (
          <Button variant="danger-quiet" icon="trash" onClick={() => void remove(user)}>
            {t('users.delete', { count: 1 })}
          </Button>
        )
      }
    >
      <form
        ref={box}
        className={styles['form']}
        aria-label={t('users.one')}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void form.save()
        }}
      >
        {refused && isForForm(refused) && (
          <div tabIndex={-1} data-refusal="">
            <ErrorNote>{refusalOf(refused)}</ErrorNote>
          </div>
        )}
        <AccountCard form={form} />
        <PlacesCard
          hint={t('roots.placesOfUser')}
          places={form.draft.places}
          error={form.errorOf('places')}
          onChange={(places) => form.set({ places })}
        />
        <StorageCard form={form} />
        <PermissionCard form={form} />
        <GroupsCard form={form} />
        <RulesCard form={form} />
        <PreferencesCard form={form} />
        {/* Lets Enter save even if the form has no visible submit button. */}
        <button type="submit" hidden />
        {user?.secondFactors && !isSelf && <FactorsCard user={user} factors={user.secondFactors} />}
        {user && <DevicesCard user={user} isSelf={isSelf} />}
        <UserFormBar form={form} onCancel={() => form.leave('/settings/users')} />
      </form>
    </Page>
  )
}

interface UserFormBarProps {
  readonly form: UserForm
  readonly onCancel: () => void
}

/** Save and Cancel buttons. */
function UserFormBar({ form, onCancel }: UserFormBarProps) {
  const { isNew, changed, busy, save, discard } = form
  if (isNew) return <NewUserBar form={form} onCancel={onCancel} />
  return <UnsavedChanges count={changed.length} busy={busy} onSave={save} onDiscard={discard} />
}

function NewUserBar({ form, onCancel }: UserFormBarProps) {
  const t = useText()
  const texts = {
    title: t('users.createUnsaved'),
    text: t('settings.unsavedText'),
    cancel: t('files.cancel'),
    discard: t('settings.discard'),
    save: t('users.create'),
  }
  useLeaveGuard({ dirty: form.changed.length > 0, texts, save: form.save, onDiscard: form.discard })
  return (
    <SaveBar
      label={t('users.new')}
      discardLabel={t('files.cancel')}
      onDiscard={onCancel}
      saveLabel={t('users.create')}
      busy={form.busy}
    >
      {t('users.notCreated')}
    </SaveBar>
  )
}

/** Deletes the account after a confirmation, then opens the list of users. */
function useDeleteUser(form: UserForm): (user: UserView) => Promise<void> {
  const t = useText()
  const client = useClient()
  const toasts = useToasts()
  const confirmed = useConfirmed()
  const queries = useQueryClient()
  return async ({ id, username }) => {
    const naming = { count: 1, name: username }
    const outcome = await confirmed({
      title: t('users.deleteTitle', naming),
      text: t(form.isSelf ? 'users.deleteSelfText' : 'users.deleteText', naming),
      label: t('users.delete', naming),
      danger: true,
      always: true,
      explain: refusalOf,
      send: async (password) => {
        await client.call(deleteUser, { params: { id: String(id) }, body: { current_password: password } })
      },
    })
    if (outcome !== true) return
    toasts.success(t('users.deleted', naming))
    form.leave('/settings/users')
    void queries.invalidateQueries({ queryKey: ['users'], exact: true })
  }
}
