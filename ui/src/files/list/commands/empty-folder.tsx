import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { sharerOf, usePermissions } from '../../../api/permissions.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { EmptyState } from '../../../kit/feedback/empty-state.tsx'
import { useUploads } from '../../uploads/uploads-context.tsx'
import type { CreateEntry } from './folder-buttons.tsx'

interface EmptyFolderProps {
  readonly folder: VirtualPath
  readonly mayCreate: boolean
  readonly make: CreateEntry
}

export function EmptyFolder({ folder, mayCreate, make }: EmptyFolderProps) {
  const t = useText()
  const uploads = useUploads()
  const upload = (
    <Button variant="primary" icon="upload" onClick={() => uploads.pick('files', folder)}>
      {t('files.uploadFiles')}
    </Button>
  )
  const { make: mayMake } = usePermissions()
  const sharer = sharerOf(folder)
  if (!mayCreate) return <EmptyState art={<Art />} title={t('files.emptyTitle')} role="status" />
  if (!mayMake)
    return (
      <EmptyState art={<Art />} title={t('uploads.onlyTitle')} dropTarget actions={upload}>
        {t('uploads.onlyText', { name: sharer ?? '' })}
      </EmptyState>
    )
  return (
    <EmptyState
      art={<Art />}
      title={t('files.emptyTitle')}
      dropTarget
      actions={
        <>
          {upload}
          <Button icon="folder-plus" onClick={() => make('folder')}>
            {t('files.newFolder')}
          </Button>
          <Button icon="file-plus" onClick={() => make('file')}>
            {t('files.newFile')}
          </Button>
        </>
      }
    >
      {t('files.emptyText')}
    </EmptyState>
  )
}

/** An open folder with an arrow into it. */
function Art() {
  return (
    <svg
      width="120"
      height="96"
      viewBox="0 0 120 96"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path
        d="M12 36a9 9 0 0 1 9-9h20c2.600 0 5 1.100 6.700 3l5 5.500H99a9 9 0 0 1 9 9V76a9 9 0 0 1-9 9H21a9 9 0 0 1-9-9z"
        fill="var(--sunken)"
      />
      <path d="M60 72V49m-9.500 9.500L60 49l9.500 9.500" stroke="var(--accent)" strokeWidth="2" />
      <path d="M90 12v7m-3.500-3.500h7M28 11v5m-2.500-2.500h5M105 20v.010" />
    </svg>
  )
}
