import { usePageTitle } from '../api/use-page-title.ts'
import { useText } from '../i18n/use-text.tsx'

/** What a visitor sees behind a link. */
export function ShareScreen() {
  const t = useText()
  usePageTitle(t('public.title'))
  return <h1>{t('public.title')}</h1>
}
