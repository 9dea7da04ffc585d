import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiError } from '../api/api-error.ts'
import { ErrorScreen } from './error-screen.tsx'

/** Shown in place of a screen that threw: an `ApiError` by its status, anything else as an internal error. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const queries = useQueryErrorResetBoundary()
  const known = error instanceof ApiError ? error : undefined
  const retry = () => {
    queries.reset()
    reset()
    void router.invalidate()
  }
  useEffect(() => {
    if (known?.status !== 0) return
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  })
  // Signed out: the login page is on its way.
  if (known?.status === 401) return null
  return <ErrorScreen status={known?.status ?? 500} requestId={known?.requestId} onRetry={retry} home="/files/" />
}
