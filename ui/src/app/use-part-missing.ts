import { useText } from '../i18n/use-text.tsx'
import { useToasts } from '../kit/feedback/toast.tsx'

/** Says that code could not be fetched: there is no network, or the server has a newer version of the page by now. */
export function usePartMissing(): () => void {
  const t = useText()
  const toasts = useToasts()
  return () => {
    toasts.error(t('app.partMissing'), { action: { label: t('app.reload'), run: () => location.reload() } })
  }
}
