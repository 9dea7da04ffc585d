import { useEffect } from 'react'
import { UploadHost } from '../files/uploads/upload-host.tsx'
import { UploadsProvider, useUploads } from '../files/uploads/uploads-context.tsx'
import { useLateUploads } from './late-uploads.tsx'

/** The uploads of one user: they go on from screen to screen, and wait while the session is being renewed. */
export function UploadsRoot({ userId }: { readonly userId: number }) {
  return (
    <UploadsProvider key={userId}>
      <ReportReady />
      <UploadHost userId={userId} />
    </UploadsProvider>
  )
}

function ReportReady() {
  const uploads = useUploads()
  const late = useLateUploads()
  useEffect(() => late.ready(uploads), [late, uploads])
  return null
}
