import { useText } from '../../i18n/use-text.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { Checkbox } from '../../kit/fields/checkbox.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { TextField } from '../../kit/fields/text-field.tsx'
import { newPassword } from './model/new-password.ts'
import type { ShareForm } from './use-share-form.ts'

interface SharePasswordFieldProps {
  readonly form: ShareForm
  readonly guarded: boolean
}

/** Shown as it is typed: it is made to be told to somebody. */
export function SharePasswordField({ form, guarded }: SharePasswordFieldProps) {
  const t = useText()
  const announce = useAnnounce()
  const generate = (): void => {
    const password = newPassword()
    form.setPassword(password)
    announce(t('shares.passwordGenerated'))
  }
  return (
    <>
      <TextField
        label={t(guarded ? 'shares.newPassword' : 'shares.passwordOptional')}
        hint={t(guarded ? 'shares.passwordKept' : 'shares.passwordHint')}
        error={form.problems.password}
        value={form.password}
        disabled={form.open}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => form.setPassword(event.currentTarget.value)}
        end={<IconButton icon="retry" label={t('shares.generate')} disabled={form.open} onClick={generate} />}
      />
      {guarded && <Checkbox checked={form.open} onChange={form.setOpen} label={t('shares.removePassword')} />}
    </>
  )
}
