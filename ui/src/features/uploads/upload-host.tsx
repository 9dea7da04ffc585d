import { lazy, Suspense } from 'react'
import { Fill } from '../../kit/slot.tsx'
import { useStore } from '../../lib/create-store.ts'
import { useKeepSignedIn } from './use-keep-signed-in.ts'
import { useLeaveWarning } from './use-leave-warning.ts'
import { useSessionEnd } from './use-session-end.ts'
import { useUploads } from './uploads-context.tsx'
import styles from './upload-panel.module.css'

const UploadPanel = lazy(async () => ({ default: (await import('./upload-panel.tsx')).UploadPanel }))

/** The panel and the hairline, in their places of the shell, on every screen. */
export function UploadHost() {
  const uploads = useUploads()
  const { state } = uploads
  const any = useStore(state, ({ items }) => items.length > 0)
  const busy = useStore(state, ({ totals }) => totals.active + totals.waiting > 0)
  useLeaveWarning(busy)
  useKeepSignedIn(busy)
  useSessionEnd(uploads)
  if (!any) return null
  return (
    <>
      {busy && (
        <Fill slot="hairline">
          <Hairline />
        </Fill>
      )}
      <Fill slot="panels">
        <Suspense>
          <UploadPanel />
        </Suspense>
      </Fill>
    </>
  )
}

function Hairline() {
  const percent = useStore(useUploads().state, ({ totals: { sentBytes, totalBytes } }) =>
    totalBytes === 0 ? 0 : Math.floor((sentBytes / totalBytes) * 100),
  )
  return <div className={styles['hairline']} style={{ inlineSize: `${percent}%` }} aria-hidden="true" />
}
