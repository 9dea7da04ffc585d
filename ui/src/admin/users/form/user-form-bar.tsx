import { useText } from '../../../i18n/use-text.tsx'
import { SaveBar } from '../../../kit/page/settings.tsx'
import { UnsavedChanges } from '../../../files/actions/unsaved/unsaved-changes.tsx'
import { useLeaveGuard } from '../../../files/actions/unsaved/use-leave-guard.ts'
import type { UserForm } from './use-user-form.ts'

interface UserFormBarProps {
  readonly form: UserForm
  readonly onCancel: () => void
}

/** Saves, or takes back what was typed. */
export function UserFormBar({ form, onCancel }: UserFormBarProps) {
  const { isNew, changed, busy, save, discard } = form
  if (isNew) return <NewUserBar form={form} onCancel={onCancel} />
  return <UnsavedChanges count={changed.length} busy={busy} onSave={save} onDiscard={discard} />
}

function NewUserBar({ form, onCancel }: UserFormBarProps) {
  const t = useText()
  const words = {
    title: t('users.createUnsaved'),
    text: t('settings.unsavedText'),
    cancel: t('settings.cancel'),
    discard: t('settings.discard'),
    save: t('users.create'),
  }
  useLeaveGuard({ dirty: form.changed.length > 0, words, save: form.save, onDiscard: form.discard })
  return (
    <SaveBar
      label={t('users.new')}
      discardLabel={t('settings.cancel')}
      onDiscard={onCancel}
      saveLabel={t('users.create')}
      busy={form.busy}
    >
      {t('users.notCreated')}
    </SaveBar>
  )
}
