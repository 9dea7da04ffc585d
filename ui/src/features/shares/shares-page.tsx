import { usePageTitle } from '../../api/use-page-title.ts'
import { useText } from '../../i18n/use-text.tsx'

/** All links that were made, and what became of them. */
export function SharesPage() {
  const t = useText()
  usePageTitle(t('shares.title'))
  return <h1>{t('shares.title')}</h1>
}
