import { useText } from '../i18n/use-text.tsx'
import { useToasts } from '../kit/feedback/toast.tsx'

/** Reports that code could not be loaded: there is no network, or a newer version of the page was installed. */
export function useReportLoadFailure(): () => void {
  const t = useText()
  const toasts = useToasts()
  return () => {
    toasts.error(t('app.partMissing'), { action: { label: t('app.reload'), run: () => location.reload() } })
  }
}
