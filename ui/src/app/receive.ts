import { useEffect } from 'react'
import { useConfig } from '../api/config.tsx'
import { usePrompt } from '../kit/prompt-stack.tsx'
import { useNavigateTo } from '../lib/use-navigate-to.ts'
import { useLateUploads } from './late-uploads.tsx'

/** Where the service worker leads to after another app has sent something. */
export function Receive() {
  const { BaseURL } = useConfig()
  const ask = usePrompt()
  const uploads = useLateUploads()
  const navigateTo = useNavigateTo()
  useEffect(() => {
    if (!location.search.includes('received')) return
    navigateTo('/files/', { replace: true })
    void import('./take-received.ts').then(({ takeReceived }) => takeReceived(BaseURL, ask, uploads))
  }, [BaseURL, ask, uploads, navigateTo])
  return null
}
