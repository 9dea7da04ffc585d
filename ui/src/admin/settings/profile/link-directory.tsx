import { useQueryClient } from '@tanstack/react-query'
import { linkAtDirectory } from '../../../../../src/api/accounts/directories.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client.ts'
import { useConfirmed } from '../../../common/confirm-prompt.tsx'
import { problemOf, problemText } from '../../../common/problem-text.ts'
import { waysProblem } from '../../../common/ways-problem.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { PasswordField, TextField } from '../../../kit/fields/text-field.tsx'

interface Typed {
  username: string
  password: string
}

/** Asks for name and password at a directory, and links the own account to that person. */
export function useLinkDirectory(): (id: string, name: string) => Promise<void> {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const confirmed = useConfirmed()
  return async (id, name) => {
    const typed: Typed = { username: '', password: '' }
    const outcome = await confirmed({
      title: t('ways.linkTitle', { name }),
      text: <DirectoryFields typed={typed} />,
      label: t('ways.link', { name }),
      always: true,
      send: async (password) => {
        const body = { ...typed, ...(password !== undefined && { current_password: password }) }
        await client.call(linkAtDirectory, { params: { id }, body })
      },
      explain: ({ status, reason }) => {
        if (reason !== undefined) return t(waysProblem(reason), { name }).replaceAll(/<\/?0>/g, '')
        return status === 403 ? t('login.wrongCredentials') : undefined
      },
    })
    if (outcome === true) toasts.success(t('ways.linkedNow', { name }))
    else if (outcome instanceof ApiError) toasts.error(problemText(t, problemOf(outcome)))
    await queries.invalidateQueries({ queryKey: ['ways'] })
  }
}

function DirectoryFields({ typed }: { readonly typed: Typed }) {
  const t = useText()
  return (
    <>
      <TextField
        label={t('login.username')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ currentTarget }) => (typed.username = currentTarget.value)}
      />
      <PasswordField
        label={t('login.password')}
        autoComplete="off"
        onChange={({ currentTarget }) => (typed.password = currentTarget.value)}
      />
    </>
  )
}
