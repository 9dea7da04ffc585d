import { useCallback } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useConfig } from '../../api/config.tsx'
import { usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { ConfirmPrompt, type ConfirmPromptProps } from './prompts/confirm-prompt.tsx'

interface Confirmation extends Omit<ConfirmPromptProps, 'withPassword'> {
  /** Asks also where no password is needed. */
  readonly always?: boolean
  /** False for what the server does without the password. */
  readonly sensitive?: boolean
  /** A program is asked whether the password is right, so it is needed where the server itself knows none. */
  readonly checkedByProgram?: boolean
}

/** True when it was done; an error that the asker is to show; undefined when it was called off. */
export type Confirmed = (confirmation: Confirmation) => Promise<true | ApiError | undefined>

/** Does what the server allows only with the user's own password, where it knows passwords at all. */
export function useConfirmed(): Confirmed {
  const ask = usePrompt()
  const { AuthMethod, NoAuth } = useConfig()
  const knowsPasswords = AuthMethod === 'json' && !NoAuth
  return useCallback(
    async ({ always = false, sensitive = true, checkedByProgram = false, ...question }) => {
      const withPassword = (knowsPasswords && sensitive) || checkedByProgram
      if (withPassword || always) return await ask(ConfirmPrompt, { ...question, withPassword })
      try {
        await question.send(undefined)
        return true
      } catch (error) {
        if (error instanceof ApiError) return error
        throw error
      }
    },
    [ask, knowsPasswords],
  )
}
