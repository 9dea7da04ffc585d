import { isPredictable } from '../../../../src/domain/predictable-password.ts'
import { useConfig } from '../../api/config.tsx'
import { useText } from '../../i18n/use-text.tsx'

/** What would make this password a good one, while it is being typed. */
export function usePasswordAdvice(password: string): string {
  const t = useText()
  const least = useConfig().MinimumPasswordLength ?? 0
  // As the server counts: a letter of another script is worth more than one.
  const missing = least - new TextEncoder().encode(password).length
  if (password === '') return t('login.adviceStart', { count: least })
  if (missing > 0) return t('login.adviceMissing', { count: missing })
  return t(isPredictable(password) ? 'login.advicePredictable' : 'login.adviceGood')
}
