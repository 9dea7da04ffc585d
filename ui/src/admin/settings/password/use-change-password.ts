import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { updateUser } from '../../../../../src/api/users.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client-context.tsx'
import { passwordRulesQuery } from '../../../api/password-rules.ts'
import { useUser } from '../../../api/session-context.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { devicesQuery, othersOf } from '../devices/devices-query.ts'
import { type PasswordEntries, type PasswordProblem, problemOfAnswer, problemOfEntries } from './password-problem.ts'

export function useChangePassword() {
  const t = useText()
  const id = useUser()?.id
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<PasswordProblem>()
  const rules = useQuery(passwordRulesQuery(client))
  const [told, setTold] = useState<number>()
  const least = told ?? rules.data?.minimumLength

  function show(next: PasswordProblem | undefined): PasswordProblem | undefined {
    setProblem(next)
    if (next?.least !== undefined) setTold(next.least)
    return next
  }

  const countOthers = async (): Promise<number> => othersOf(await queries.query(devicesQuery(client))).length

  /** Resolves with what was wrong; with nothing when the password is another one now. */
  async function change(entries: PasswordEntries): Promise<PasswordProblem | undefined> {
    if (busy || id === undefined) return problem
    const wrong = problemOfEntries(entries, t)
    if (wrong !== undefined) return show(wrong)
    setBusy(true)
    try {
      const before = await countOthers()
      const body = {
        what: 'user',
        which: ['password'],
        data: { id, password: entries.next },
        ...(entries.current !== undefined && { current_password: entries.current }),
      }
      await client.call(updateUser, { params: { id: String(id) }, body })
      await queries.invalidateQueries({ queryKey: ['sessions'] })
      toasts.success(t('password.changed', { count: before - (await countOthers()) }))
      return show(undefined)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return show(problemOfAnswer(error, t))
    } finally {
      setBusy(false)
    }
  }

  return { change, busy, problem, least, forgetProblem: () => setProblem(undefined) }
}
