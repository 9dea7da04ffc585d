import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { createGroup } from '../../../../src/api/accounts/groups.ts'
import { ApiError } from '../../api/api-error.ts'
import { useClient } from '../../api/client.ts'
import { problemOf, problemText } from '../../common/problem-text.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../kit/dialog/prompt-stack.tsx'
import { TextField } from '../../kit/fields/text-field.tsx'

export const MAX_NAME = 100

/** Makes a group without members. Resolves with its id. */
export function NewGroupPrompt({ close }: PromptProps<string>) {
  const t = useText()
  const client = useClient()
  const [name, setName] = useState('')
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: async () => await client.call(createGroup, { body: { name: name.trim() } }),
    onSuccess: ({ id }) => close(id),
  })
  return (
    <Dialog
      title={t('groups.new')}
      onClose={() => close()}
      onSubmit={() => {
        if (!isPending && name.trim() !== '') mutate()
      }}
      footer={
        <>
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button variant="primary" type="submit" disabled={name.trim() === ''} progress={isPending ? 'busy' : 'idle'}>
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
        error={error !== null && nameProblem(t, error)}
        onChange={(event) => {
          reset()
          setName(event.currentTarget.value)
        }}
      />
    </Dialog>
  )
}

/** What is wrong with a name; the page cannot know all names. */
export function nameProblem(t: ReturnType<typeof useText>, error: Error): string {
  return error instanceof ApiError && error.code === 'CONFLICT'
    ? t('files.nameTaken')
    : problemText(t, problemOf(error))
}
