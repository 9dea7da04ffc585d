import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { detailsOf, problemOf, problemText } from '../../common/problem-text.ts'
import { useConfig } from '../../api/page-config.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { copyText } from '../../lib/copy-text.ts'

/** Shows why something failed until the user closes it. Unexpected errors can be copied as a report. */
export function useReportFailure(): (error: unknown) => void {
  const t = useText()
  const toasts = useToasts()
  const { DisableExternal, Version } = useConfig()
  return (error) => {
    const isExpected = error instanceof ApiError && error.status !== 500
    if (isExpected) {
      const problem = problemOf(error)
      return toasts.error(problemText(t, problem), detailsOf(t, problem))
    }
    if (DisableExternal) return toasts.error(t('actions.failed'))
    const details = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    const request = error instanceof ApiError && error.requestId !== undefined ? `request ${error.requestId}` : ''
    const report = [`filemgr ${Version}`, location.pathname, details, request].filter(Boolean).join('\n')
    toasts.error(t('actions.failed'), { action: { label: t('form.copyReport'), run: () => void copyText(report) } })
  }
}

/** Does what a button says, and reports why it failed. */
export function useAttempt() {
  const reportFailure = useReportFailure()
  const [busy, setBusy] = useState(false)
  return {
    busy,
    /** Undefined if it failed; a toast shows why. */
    async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
      setBusy(true)
      try {
        return await work()
      } catch (error) {
        reportFailure(error)
        return undefined
      } finally {
        setBusy(false)
      }
    },
  }
}
