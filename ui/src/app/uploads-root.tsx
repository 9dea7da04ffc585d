import { useEffect } from 'react'
import { UploadHost } from '../features/uploads/upload-host.tsx'
import { UploadsProvider, useUploads } from '../features/uploads/uploads-context.tsx'
import { useLateUploads } from './late-uploads.tsx'

/** The uploads of the page: they go on from screen to screen. */
export function UploadsRoot() {
  return (
    <UploadsProvider>
      <ReportReady />
      <UploadHost />
    </UploadsProvider>
  )
}

function ReportReady() {
  const uploads = useUploads()
  const late = useLateUploads()
  useEffect(() => late.ready(uploads), [late, uploads])
  return null
}
