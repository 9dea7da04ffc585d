import { useEffect } from 'react'
import { useNavigateTo } from '../lib/use-navigate-to.ts'

/** Goes elsewhere as soon as it is shown, and is not gone back to. */
export function Leave({ to }: { to: string }) {
  const navigateTo = useNavigateTo()
  useEffect(() => navigateTo(to, { replace: true }), [navigateTo, to])
  return null
}
