import { useText } from '../i18n/use-text.tsx'
import { usePageTitle } from '../api/use-page-title.ts'
import { ErrorScreen } from './error-screen.tsx'
import { Solo } from '../kit/solo.tsx'

/** The error screens that have an address of their own. */
export function ErrorPage({ status }: { status: 403 | 404 | 500 }) {
  const t = useText()
  usePageTitle(t('errors.pageTitle'))
  return (
    <Solo>
      <ErrorScreen status={status} home="/files/" />
    </Solo>
  )
}
