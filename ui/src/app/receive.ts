import { useEffect } from 'react'
import { useConfig } from '../api/config.tsx'
import { usePrompt } from '../kit/dialog/prompt-stack.tsx'
import { useNavigateTo } from '../lib/use-navigate-to.ts'
import { useUploads } from '../files/uploads/uploads-context.tsx'
import { takeReceived } from './take-received.ts'

/** Where the service worker leads to after another app has sent something. */
export function Receive() {
  const { BaseURL } = useConfig()
  const ask = usePrompt()
  const uploads = useUploads()
  const navigateTo = useNavigateTo()
  useEffect(() => {
    // Once: the way to the files is drawn with this still there.
    if (!location.search.includes('received')) return
    navigateTo('/files/', { replace: true })
    void takeReceived(BaseURL, ask, uploads)
  }, [BaseURL, ask, uploads, navigateTo])
  return null
}
