import { type ComponentType, useEffect, useRef } from 'react'
import { usePageTitle } from '../../api/use-page-title.ts'
import { useText } from '../../i18n/use-text.tsx'
import { AppLink } from '../../kit/button/app-link.tsx'
import { Avatar } from '../../kit/text/names.tsx'
import { Button } from '../../kit/button/button.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { Note } from '../../kit/feedback/note.tsx'
import { Page } from '../../kit/page/page.tsx'
import { Spinner } from '../../kit/feedback/progress.tsx'
import { classNames } from '../../lib/class-names.ts'
import { sentence } from '../../lib/sentence.ts'
import { useNavigateTo } from '../../lib/use-navigate-to.ts'
import { AccountCard } from './form/account-card.tsx'
import { type DeviceLook, DevicesCard } from './form/devices-card.tsx'
import { PermissionCard } from './form/permission-card.tsx'
import { PreferencesCard } from './form/preferences-card.tsx'
import { isForForm } from './form/problem-of-field.ts'
import { RulesCard } from './form/rules-card.tsx'
import { useDeleteUser } from './form/use-delete-user.ts'
import { type UserForm, useUserForm } from './form/use-user-form.ts'
import { UserFormBar } from './form/user-form-bar.tsx'
import styles from './form/user-page.module.css'

interface UserPageProps {
  /** Of an account; undefined for one that is not there yet. */
  readonly id: number | undefined
  readonly Device: ComponentType<DeviceLook>
}

/** The form of one account. */
export function UserPage({ id, Device }: UserPageProps) {
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
  return <LoadedUser form={form} Device={Device} />
}

function LoadedUser({ form, Device }: { readonly form: UserForm; readonly Device: ComponentType<DeviceLook> }) {
  const t = useText()
  const remove = useDeleteUser(form)
  const box = useRef<HTMLFormElement>(null)
  const { user, isSelf, next, refusal, problems } = form
  const navigateTo = useNavigateTo()
  useEffect(() => {
    if (next !== undefined) navigateTo(next, { replace: true })
  }, [navigateTo, next])
  const wrong = problems.size > 0 || refusal !== undefined
  useEffect(() => {
    if (wrong) box.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-refusal]')?.focus()
  }, [wrong, refusal])
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
        {refusal && isForForm(refusal) && (
          <div tabIndex={-1} data-refusal="">
            <Note icon="error" tone="danger" role="alert">
              {sentence(refusal.message)}
            </Note>
          </div>
        )}
        <AccountCard form={form} />
        <PermissionCard form={form} />
        <RulesCard form={form} />
        <PreferencesCard form={form} />
        {/* Enter saves, also where no button of the form is one that submits. */}
        <button type="submit" hidden />
        {user && <DevicesCard user={user} isSelf={isSelf} Device={Device} />}
        <UserFormBar form={form} onCancel={() => form.leave('/settings/users')} />
      </form>
    </Page>
  )
}
