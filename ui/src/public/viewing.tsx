import { type ComponentType, useState } from 'react'
import type { Listing, Resource } from '../../../src/domain/files/resource.ts'
import { childOf, parentOf, ROOT, type VirtualPath } from '../../../src/domain/files/virtual-path.ts'
import { useNavigateTo, useNavigation } from '../lib/navigation/navigation.tsx'
import { type FileViewerProps, type FolderChoices, type OpenShare, useCopyLink } from './open-share.ts'

interface ViewingProps {
  readonly FileViewer: ComponentType<FileViewerProps>
  readonly share: OpenShare
  readonly file: Resource
  readonly path: VirtualPath
  readonly folder: Listing | undefined
  readonly choices: FolderChoices
}

/** A file of a share in the viewer. */
export function Viewing({ FileViewer, share, file, path, folder, choices }: ViewingProps) {
  const { history } = useNavigation()
  const navigateTo = useNavigateTo()
  const parent = parentOf(path)
  const copyLink = useCopyLink(share)
  const [alone] = useState(() => [file])
  const close = (): void => {
    if (history.canGoBack()) history.back()
    else navigateTo(share.appPathOf(path === ROOT || parent === ROOT ? ROOT : `${parent}/`), { replace: true })
  }
  return (
    <FileViewer
      share={share}
      file={file}
      path={path}
      entries={(share.downloadsLeft === null ? folder?.items : undefined) ?? alone}
      sorting={choices.sorting}
      onShow={(entry) => navigateTo(`${share.appPathOf(childOf(parent, entry.name))}?view=true`, { replace: true })}
      onClose={close}
      onCopyLink={() => copyLink(path)}
    />
  )
}
