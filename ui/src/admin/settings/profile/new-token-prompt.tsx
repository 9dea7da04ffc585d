import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { createToken } from '../../../../../src/api/accounts/tokens.ts'
import { TOKEN_PERMISSIONS, type TokenPermission } from '../../../../../src/domain/accounts/api-token.ts'
import { NO_PERMISSIONS } from '../../../../../src/domain/access/permissions.ts'
import { cleanVirtualPath, ROOT, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client.ts'
import { useAsksPassword } from '../../../common/confirm-prompt.tsx'
import { useUser } from '../../../api/session.ts'
import { problemOf, problemText } from '../../../common/problem-text.ts'
import { useCopy } from '../../../files/share/share-links.ts'
import { type MessageId, useText } from '../../../i18n/use-text.tsx'
import { Button, IconButton } from '../../../kit/button/button.tsx'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { lazyPrompt, type PromptProps, usePrompt } from '../../../kit/dialog/prompt-stack.tsx'
import { Note, ErrorNote } from '../../../kit/feedback/note.tsx'
import { Checkbox } from '../../../kit/fields/checkbox.tsx'
import { Select } from '../../../kit/fields/select.tsx'
import { PasswordField, TextField } from '../../../kit/fields/text-field.tsx'
import { CODE_INPUT } from '../../../kit/fields/inputs.tsx'
import { PERMISSION_TEXTS } from '../../forms/permission-fields.tsx'
import styles from './new-token-prompt.module.css'

const ChooseFolder = lazyPrompt(
  async () => (await import('../../../files/actions/prompts/folders/folder-prompts.tsx')).ChooseFolderPrompt,
)

const LIFETIMES: readonly (readonly [expires: string, label: MessageId])[] = [
  ['7d', 'shares.sevenDays'],
  ['30d', 'shares.thirtyDays'],
  ['90d', 'tokens.ninetyDays'],
  ['365d', 'tokens.oneYear'],
  ['', 'shares.never'],
]

const MAX_NAME = 64

/** Asks what a new token may do, then shows the token once. */
export function NewTokenPrompt({ close }: PromptProps<never>) {
  const t = useText()
  const [secret, setSecret] = useState<string>()
  const form = useTokenForm(setSecret)
  if (secret !== undefined) return <MadeToken secret={secret} close={close} />
  return (
    <Dialog
      size="medium"
      title={t('tokens.new')}
      onClose={() => close()}
      onSubmit={form.submit}
      footer={
        <>
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button variant="primary" type="submit" progress={form.busy ? 'busy' : 'idle'}>
            {t('tokens.make')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('tokens.name')}
        hint={t('tokens.nameHint')}
        error={form.isNameMissing && t('tokens.nameMissing')}
        value={form.name}
        maxLength={MAX_NAME}
        autoComplete="off"
        onChange={(event) => form.setName(event.currentTarget.value)}
      />
      <PermissionBoxes chosen={form.permissions} onChange={form.setPermissions} />
      <FolderField
        value={form.path}
        // A token of one folder cannot administer the whole server.
        disabled={form.permissions.includes('admin')}
        onChange={form.setPath}
      />
      <div className={styles['expiry']}>
        <span aria-hidden="true">{t('shares.expiresAfter')}</span>
        <Select
          label={t('shares.expiresAfter')}
          value={form.expires}
          options={LIFETIMES.map(([value, label]) => ({ value, label: t(label) }))}
          onChange={form.setExpires}
        />
      </div>
      {form.asksPassword && (
        <PasswordField
          label={t('actions.currentPassword')}
          hint={t('actions.currentPasswordHint')}
          error={form.passwordProblem}
          autoComplete="current-password"
          value={form.password}
          onChange={(event) => form.setPassword(event.currentTarget.value)}
        />
      )}
      <ErrorNote>{form.problem}</ErrorNote>
    </Dialog>
  )
}

/** The state of the form. @param onMade called with the secret */
function useTokenForm(onMade: (secret: string) => void) {
  const t = useText()
  const client = useClient()
  const [name, setName] = useState('')
  const [permissions, setPermissions] = useState<readonly TokenPermission[]>(['download'])
  const [path, setPath] = useState<string>(ROOT)
  const [expires, setExpires] = useState('90d')
  const [password, setPassword] = useState('')
  const [isNameMissing, setNameMissing] = useState(false)
  const asksPassword = useAsksPassword()
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: async () =>
      await client.call(createToken, {
        body: {
          name: name.trim(),
          permissions: [...permissions],
          path: permissions.includes('admin') ? ROOT : cleanVirtualPath(path),
          expires,
          ...(asksPassword && { current_password: password }),
        },
      }),
    onSuccess: ({ token }) => onMade(token),
  })
  const isWrongPassword = error instanceof ApiError && error.field === 'current_password'
  return {
    name,
    permissions,
    path,
    expires,
    password,
    isNameMissing,
    asksPassword,
    setPermissions,
    setPath,
    setExpires,
    busy: isPending,
    passwordProblem: isWrongPassword && t('actions.currentPasswordWrong'),
    problem: error === null || isWrongPassword ? undefined : problemText(t, problemOf(error)),
    setName(next: string) {
      setNameMissing(false)
      reset()
      setName(next)
    },
    setPassword(next: string) {
      reset()
      setPassword(next)
    },
    submit() {
      setNameMissing(name.trim() === '')
      if (name.trim() !== '' && !isPending) mutate()
    },
  }
}

interface PermissionBoxesProps {
  readonly chosen: readonly TokenPermission[]
  readonly onChange: (chosen: readonly TokenPermission[]) => void
}

/** The permissions that the user has: a token cannot have others. */
function PermissionBoxes({ chosen, onChange }: PermissionBoxesProps) {
  const t = useText()
  const perm = useUser()?.perm ?? NO_PERMISSIONS
  return (
    <fieldset className={styles['permissions']}>
      <legend>{t('permissions.title')}</legend>
      {TOKEN_PERMISSIONS.filter((name) => perm[name]).map((name) => (
        <Checkbox
          key={name}
          checked={chosen.includes(name)}
          label={t(PERMISSION_TEXTS[name].label)}
          onChange={(on) => onChange(withChoice(chosen, name, on))}
        />
      ))}
    </fieldset>
  )
}

/** Sharing requires downloading. */
function withChoice(chosen: readonly TokenPermission[], name: TokenPermission, on: boolean): TokenPermission[] {
  const removed: readonly TokenPermission[] = name === 'download' ? ['download', 'share'] : [name]
  if (!on) return chosen.filter((other) => !removed.includes(other))
  return [...new Set([...chosen, name, ...(name === 'share' ? (['download'] as const) : [])])]
}

interface FolderFieldProps {
  readonly value: string
  readonly disabled: boolean
  readonly onChange: (path: string) => void
}

function FolderField({ value, disabled, onChange }: FolderFieldProps) {
  const t = useText()
  const ask = usePrompt()
  const choose = async (): Promise<void> => {
    const start: VirtualPath = cleanVirtualPath(value)
    const path = await ask(ChooseFolder, { title: t('users.chooseFolder'), start, format: (folder) => folder })
    if (path !== undefined) onChange(path)
  }
  return (
    <TextField
      label={t('tokens.folder')}
      hint={t('tokens.folderHint')}
      value={disabled ? ROOT : value}
      disabled={disabled}
      {...CODE_INPUT}
      onChange={(event) => onChange(event.currentTarget.value)}
      end={
        <IconButton
          icon="folder"
          size="small"
          label={t('users.chooseFolder')}
          disabled={disabled}
          onClick={() => void choose()}
        />
      }
    />
  )
}

interface MadeTokenProps extends PromptProps<never> {
  readonly secret: string
}

/** Only its button closes it, since the token cannot be shown again. */
function MadeToken({ secret, close }: MadeTokenProps) {
  const t = useText()
  const copy = useCopy()
  return (
    <Dialog
      alert
      size="medium"
      title={t('tokens.made')}
      footer={
        <>
          <Button onClick={() => close()}>{t('shares.done')}</Button>
          <Button
            variant="primary"
            icon="copy"
            data-autofocus=""
            onClick={() => void copy({ text: secret, success: t('tokens.copied') })}
          >
            {t('tokens.copy')}
          </Button>
        </>
      }
    >
      <Note icon="key" tone="warning">
        <p>{t('tokens.once')}</p>
      </Note>
      <bdi dir="ltr" className={`mono ${styles['secret'] ?? ''}`}>
        {secret}
      </bdi>
    </Dialog>
  )
}
