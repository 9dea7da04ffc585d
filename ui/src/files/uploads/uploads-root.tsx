import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useState } from 'react'
import { useClient } from '../../api/client.ts'
import { useConfig } from '../../api/page-config.tsx'
import { useLockedOut } from '../../api/own-account.ts'
import { useSession } from '../../api/session.ts'
import { useTextPart, useText } from '../../i18n/use-text.tsx'
import { useReportLoadFailure } from '../../common/use-report-load-failure.ts'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { LazyBoundary, lazyComponent } from '../../kit/lazy-component.tsx'
import { Portal } from '../../kit/page/portal.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { useStore } from '../../lib/create-store.ts'
import { useLatest } from '../../lib/hooks.ts'
import { chooseEngine } from './engine/choose-engine.ts'
import { createFormUpload, createGroupUpload } from './engine/group-upload.ts'
import { shareSlots } from './engine/share-slots.ts'
import { keepUploads } from './memory/keep-uploads.ts'
import { createSimpleUpload } from './engine/simple-upload.ts'
import { UploadsContext, useUploads } from './uploads-context.tsx'
import { createUploads, type Uploads } from './uploads.ts'
import { useKeepSignedIn, useLeaveWarning, useSessionEnd } from './session-guards.ts'
import styles from './panel/upload-panel.module.css'

const UploadPanel = lazyComponent(async () => (await import('./panel/upload-panel.tsx')).UploadPanel)
const UploadConflicts = lazyPrompt(async () => (await import('./plan/upload-conflicts.tsx')).UploadConflicts)

interface UploadsRootProps {
  readonly userId: number
  readonly onReady: (uploads: Uploads) => void
}

/** The uploads of one user. They continue across screens, and wait while the session is renewed. */
export function UploadsRoot({ userId, onReady }: UploadsRootProps) {
  useTextPart('actions')
  const uploads = useNewUploads()
  useLayoutEffect(() => onReady(uploads), [onReady, uploads])
  return (
    <UploadsContext value={uploads}>
      <UploadHost userId={userId} />
    </UploadsContext>
  )
}

/** A server that does not answer within this many milliseconds cannot be reached. */
const HEALTH_TIMEOUT = 5000

function useNewUploads(): Uploads {
  const client = useClient()
  const config = useConfig()
  const session = useSession()
  const queries = useQueryClient()
  const ask = usePrompt()
  const toasts = useToasts()
  const announce = useAnnounce()
  const text = useLatest(useText())
  const [uploads] = useState(() =>
    createUploads({
      client,
      queries,
      engine: shareSlots(
        createGroupUpload(createFormUpload(client), chooseEngine(client, createSimpleUpload(client), config)),
        windowLocks(),
      ),
      isSignedIn: () => session.state.get().status === 'signed-in',
      isReachable: () => isReachable(`${config.BaseURL}/health`),
      askConflicts: (conflicts, all, target) => ask(UploadConflicts, { conflicts, all, target }),
      onProblem: () => toasts.error(text.current('uploads.couldNotStart')),
      onOtherFiles: () => toasts.error(text.current('uploads.otherFiles')),
      onFinished: ({ totals }) =>
        announce(text.current('uploads.finished', { done: totals.done, failed: totals.failed })),
    }),
  )
  return uploads
}

/** Web Locks exist in secure contexts only. */
function windowLocks(): LockManager | undefined {
  return 'locks' in navigator ? navigator.locks : undefined
}

/** A proxy in front of a stopped server still answers, but with 502 or the like. */
async function isReachable(url: string): Promise<boolean> {
  return await fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(HEALTH_TIMEOUT) }).then(
    ({ status }) => status < 500,
    () => false,
  )
}

/** The upload panel and the progress line, on every screen. */
function UploadHost({ userId }: { readonly userId: number }) {
  const reportLoadFailure = useReportLoadFailure()
  const uploads = useUploads()
  const { state } = uploads
  const any = useStore(state, ({ items }) => items.length > 0)
  const busy = useStore(state, ({ totals }) => totals.active + totals.waiting > 0)
  const running = useStore(state, ({ totals, pausedBy }) => pausedBy === null && totals.active + totals.waiting > 0)
  useLeaveWarning(uploads)
  useKeepSignedIn(busy)
  useSessionEnd(uploads, userId)
  useKeptUploads(uploads, userId)
  useMaintenancePause(uploads)
  if (!any) return null
  return (
    <>
      {running && (
        <Portal to="progress">
          <Hairline />
        </Portal>
      )}
      <Portal to="panels">
        <LazyBoundary onError={reportLoadFailure}>
          <UploadPanel />
        </LazyBoundary>
      </Portal>
    </>
  )
}

/** Starts the uploads, including the unfinished ones of an earlier page. */
function useKeptUploads(uploads: Uploads, userId: number): void {
  const { BaseURL: baseUrl } = useConfig()
  useEffect(() => {
    const stopUploads = uploads.start()
    const stopKeeping = keepUploads({ uploads, baseUrl, userId })
    return () => {
      stopUploads()
      stopKeeping()
    }
  }, [uploads, baseUrl, userId])
}

function useMaintenancePause({ queue }: Uploads): void {
  const isLockedOut = useLockedOut()
  useEffect(() => {
    if (!isLockedOut) return
    queue.pauseAll('maintenance')
    return () => queue.resumeAll('maintenance')
  }, [queue, isLockedOut])
}

function Hairline() {
  const percent = useStore(useUploads().state, ({ totals: { sentBytes, totalBytes } }) =>
    totalBytes === 0 ? 0 : Math.floor((sentBytes / totalBytes) * 100),
  )
  return <div className={styles['hairline']} style={{ inlineSize: `${percent}%` }} aria-hidden="true" />
}
