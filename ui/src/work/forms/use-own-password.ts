import { useConfig } from '../../api/config.tsx'
import { usePrompt } from '../../kit/prompt-stack.tsx'
import { PasswordQuestion } from './questions.ts'

interface Guarded {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly danger?: boolean
  readonly attempt: (password: string) => Promise<void>
}

/**
 * Does something for which the server wants the own password, where there is one to ask for.
 *
 * @returns whether it was done; false when somebody thought better of it. Throws what the attempt throws
 */
export type WithOwnPassword = (what: Guarded) => Promise<boolean>

export function useOwnPassword(): WithOwnPassword {
  const ask = usePrompt()
  const { AuthMethod } = useConfig()
  return async (what) => {
    if (AuthMethod !== 'json') {
      await what.attempt('')
      return true
    }
    const outcome = await ask(PasswordQuestion, what)
    if (outcome === undefined) return false
    if (outcome.failure !== undefined) throw outcome.failure
    return true
  }
}
