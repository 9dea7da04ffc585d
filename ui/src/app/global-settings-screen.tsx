import { usePageTitle } from '../api/use-page-title.ts'
import { useText } from '../i18n/use-text.tsx'

/** Settings of the whole installation. */
export function GlobalSettingsScreen() {
  const t = useText()
  usePageTitle(t('global.title'))
  return <h1>{t('global.title')}</h1>
}
