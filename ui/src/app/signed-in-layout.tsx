import { MainLayout } from '../features/shell/main-layout.tsx'
import { UploadHost } from '../features/uploads/upload-host.tsx'
import { UploadsProvider } from '../features/uploads/uploads-context.tsx'

/** The frame of all screens behind the sign-in, and the uploads that go on from screen to screen. */
export function SignedInLayout() {
  return (
    <UploadsProvider>
      <MainLayout />
      <UploadHost />
    </UploadsProvider>
  )
}
