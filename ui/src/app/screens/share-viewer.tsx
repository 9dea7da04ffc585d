import { useMemo } from 'react'
import { type Client, useClient } from '../../api/client.ts'
import type { FileViewerProps, OpenShare } from '../../public/open-share.ts'
import { sortEntries } from '../../files/list/sort/sort-entries.ts'
import { type FileSource, FileSourceProvider, withContent } from '../../viewer/file/file-source.ts'
import type { ViewerAction } from '../../viewer/file/viewed-file.ts'
import { Viewer } from '../../viewer/viewer.tsx'
import { useText, useTextPart } from '../../i18n/use-text.tsx'
import { useNavigation } from '../../lib/navigation/navigation.tsx'
import { startDownload } from '../../lib/start-download.ts'

/** Full-screen viewer for a file of a share. */
export function ShareViewer({ share, file, path, entries, sorting, onShow, onClose, onCopyLink }: FileViewerProps) {
  useTextPart('tools')
  useTextPart('actions')
  const t = useText()
  const client = useClient()
  const { history } = useNavigation()
  const source = useMemo(() => sourceOf(client, share), [client, share])
  const sorted = useMemo(() => sortEntries(entries, sorting), [entries, sorting])
  const { urls } = share
  const download: ViewerAction = {
    id: 'download',
    label: t('public.download'),
    icon: 'download',
    // What the visitor has opened is counted already, and may be had as a file even if the link is used up by it.
    run: () => startDownload(urls.download(path), file.name),
  }
  const link: ViewerAction = { id: 'link', label: t('public.copyLink'), icon: 'link', run: onCopyLink }
  const raw: ViewerAction = {
    id: 'raw',
    label: t('viewer.openRaw'),
    icon: 'external',
    run: () => void window.open(urls.raw(path), '_blank', 'noopener'),
  }
  const actions = share.mayDownload ? [download, link, raw] : [link]
  return (
    <FileSourceProvider value={source}>
      <Viewer
        file={file}
        path={path}
        entries={sorted}
        actions={actions}
        onShow={onShow}
        onClose={onClose}
        onFollow={(address) => history.push(address)}
      />
    </FileSourceProvider>
  )
}

/** File URLs and contents through the share link. */
function sourceOf(client: Client, { urls, downloadsLeft, name, appPathOf }: OpenShare): FileSource {
  return {
    // Where downloads are limited, other pictures are small. To open one counts.
    urls: downloadsLeft === null ? urls : { ...urls, picture: urls.raw },
    rootName: name,
    appPathOf,
    describe: async (path, file, signal) => await withContent(client, urls.raw(path), file, signal),
  }
}
