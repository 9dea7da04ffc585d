import { updateSignInSettings } from '../../../../../src/api/settings/settings.ts'
import type { SignInChange, SignInView } from '../../../../../src/domain/accounts/auth-method.ts'
import type { ApiError } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client.ts'
import { useConfirmed } from '../../../common/confirm-prompt.tsx'
import { useText } from '../../../i18n/use-text.tsx'

/**
 * Saves sign-in settings once the administrator has entered the password.
 *
 * @param method the one to be, if it changes: a program checks the password itself
 */
export function useSaveSignIn() {
  const t = useText()
  const client = useClient()
  const confirmed = useConfirmed()
  return async (change: SignInChange, method?: SignInView['method']): Promise<true | ApiError | undefined> =>
    await confirmed({
      title: t('signin.passwordTitle'),
      text: t('signin.passwordText'),
      label: t('settings.save'),
      checkedByProgram: method === 'hook',
      send: async (password) => {
        const body = { ...change, ...(password !== undefined && { current_password: password }) }
        await client.call(updateSignInSettings, { body })
      },
    })
}
