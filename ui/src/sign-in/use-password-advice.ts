import { useQuery } from '@tanstack/react-query'
import { isPredictable } from '../../../src/domain/predictable-password.ts'
import { useClient } from '../api/client-context.tsx'
import { useConfig } from '../api/config.tsx'
import { passwordRulesQuery } from '../api/password-rules.ts'
import { useText } from '../i18n/use-text.tsx'

/** What would make this password a good one, while it is being typed. */
export function usePasswordAdvice(password: string): string {
  const t = useText()
  const { data } = useQuery({ ...passwordRulesQuery(useClient()), enabled: useConfig().Signup })
  if (data === undefined) return ''
  const least = data.minimumLength
  // As the server counts: a letter of another script is worth more than one.
  const missing = least - new TextEncoder().encode(password).length
  if (password === '') return t('login.adviceStart', { count: least })
  if (missing > 0) return t('login.adviceMissing', { count: missing })
  return t(isPredictable(password) ? 'login.advicePredictable' : 'login.adviceGood')
}
