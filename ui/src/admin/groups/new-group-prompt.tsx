import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { createGroup } from '../../../../src/api/accounts/groups.ts'
import { ApiError } from '../../api/api-error.ts'
import { useClient } from '../../api/client.ts'
import { useAsksPassword } from '../../common/confirm-prompt.tsx'
import { problemOf, problemText } from '../../common/problem-text.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../kit/dialog/prompt-stack.tsx'
import { PasswordField, TextField } from '../../kit/fields/text-field.tsx'

export const MAX_NAME = 100

/** Makes a group without members. Resolves with its id. */
export function NewGroupPrompt({ close }: PromptProps<string>) {
  const t = useText()
  const client = useClient()
  const asksPassword = useAsksPassword()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: async () =>
      await client.call(createGroup, {
        body: { name: name.trim(), ...(asksPassword && { current_password: password }) },
      }),
    onSuccess: ({ id }) => close(id),
  })
  const isWrongPassword = error instanceof ApiError && error.field === 'current_password'
  const isReady = name.trim() !== '' && (!asksPassword || password !== '')
  return (
    <Dialog
      title={t('groups.new')}
      onClose={() => close()}
      onSubmit={() => {
        if (!isPending && isReady) mutate()
      }}
      footer={
        <>
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button variant="primary" type="submit" disabled={!isReady} progress={isPending ? 'busy' : 'idle'}>
            {t('files.create')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('files.name')}
        value={name}
        maxLength={MAX_NAME}
        autoComplete="off"
        error={error !== null && !isWrongPassword && nameProblem(t, error)}
        onChange={(event) => {
          reset()
          setName(event.currentTarget.value)
        }}
      />
      {asksPassword && (
        <PasswordField
          label={t('actions.currentPassword')}
          hint={t('actions.currentPasswordHint')}
          error={isWrongPassword && t('actions.currentPasswordWrong')}
          autoComplete="current-password"
          value={password}
          onChange={(event) => {
            reset()
            setPassword(event.currentTarget.value)
          }}
        />
      )}
    </Dialog>
  )
}

/** What is wrong with a name; the page cannot know all names. */
export function nameProblem(t: ReturnType<typeof useText>, error: Error): string {
  return error instanceof ApiError && error.code === 'CONFLICT'
    ? t('files.nameTaken')
    : problemText(t, problemOf(error))
}
