import { useEffect } from 'react'
import { ApiError } from '../api/api-error.ts'
import { Solo } from '../kit/page/page.tsx'
import { ErrorScreen } from './error-screen.tsx'

/** The page came, but the server did not answer when it was asked who is here. */
export function StartFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  useEffect(() => {
    addEventListener('online', onRetry)
    return () => removeEventListener('online', onRetry)
  })
  const known = error instanceof ApiError ? error : undefined
  return (
    <Solo>
      <ErrorScreen status={known?.status ?? 500} requestId={known?.requestId} onRetry={onRetry} />
    </Solo>
  )
}
