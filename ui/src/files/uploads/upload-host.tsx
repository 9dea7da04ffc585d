import { useEffect } from 'react'
import { useConfig } from '../../api/config.tsx'
import { lazyPart } from '../../kit/lazy-part.tsx'
import { Fill } from '../../kit/page/slot.tsx'
import { useStore } from '../../lib/create-store.ts'
import { LatePart } from '../actions/late-part.tsx'
import { loadAbortPrompt } from './ask-abort.ts'
import { useKeepSignedIn } from './use-keep-signed-in.ts'
import { useLeaveWarning } from './use-leave-warning.ts'
import { useSessionEnd } from './use-session-end.ts'
import { useUploads } from './uploads-context.tsx'
import styles from './upload-panel.module.css'

const UploadPanel = lazyPart(async () => (await import('./upload-panel.tsx')).UploadPanel)

/** The panel and the hairline, in their places of the shell, on every screen. */
export function UploadHost({ userId }: { readonly userId: number }) {
  const uploads = useUploads()
  const { state } = uploads
  const any = useStore(state, ({ items }) => items.length > 0)
  const busy = useStore(state, ({ totals }) => totals.active + totals.waiting > 0)
  const running = useStore(state, ({ totals, hold }) => hold === null && totals.active + totals.waiting > 0)
  useLeaveWarning(uploads)
  useKeepSignedIn(busy)
  useSessionEnd(uploads, userId)
  useKeptUploads(userId)
  useEffect(() => void loadAbortPrompt().catch(ignoreMissingPart), [])
  if (!any) return null
  return (
    <>
      {running && (
        <Fill slot="hairline">
          <Hairline />
        </Fill>
      )}
      <Fill slot="panels">
        <LatePart fallback={null}>
          <UploadPanel />
        </LatePart>
      </Fill>
    </>
  )
}

/** Starts the uploads, with those that an earlier page has left. */
function useKeptUploads(userId: number): void {
  const { BaseURL: baseUrl } = useConfig()
  const uploads = useUploads()
  useEffect(() => {
    const stopAll = [uploads.start()]
    let stopped = false
    void import('./memory/keep-uploads.ts').then(({ keepUploads }) => {
      if (!stopped) stopAll.push(keepUploads({ uploads, baseUrl, userId }))
    }, ignoreMissingPart)
    return () => {
      stopped = true
      for (const stop of stopAll) stop()
    }
  }, [uploads, baseUrl, userId])
}

/** Without what keeps them uploads end with the page, as they would in a browser that stores nothing. The question is fetched again. */
function ignoreMissingPart(): void {
  return
}

function Hairline() {
  const percent = useStore(useUploads().state, ({ totals: { sentBytes, totalBytes } }) =>
    totalBytes === 0 ? 0 : Math.floor((sentBytes / totalBytes) * 100),
  )
  return <div className={styles['hairline']} style={{ inlineSize: `${percent}%` }} aria-hidden="true" />
}
