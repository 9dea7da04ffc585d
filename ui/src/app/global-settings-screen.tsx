import { GlobalPage } from '../features/settings/global/global-page.tsx'

/** Settings of the whole installation. */
export function GlobalSettingsScreen() {
  return <GlobalPage />
}
