import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import {
  childOf,
  nameOf,
  parentOf,
  ROOT,
  tryParseVirtualPath,
  type VirtualPath,
} from '../../../../src/domain/files/virtual-path.ts'
import { isEncoding } from '../../../../src/domain/text/encodings.ts'
import { type Client, useClient } from '../../api/client.ts'
import { problemOf } from '../../common/problem-text.ts'
import { Refusal } from '../../common/refusal.tsx'
import { fileUrl } from '../../files/actions/download.ts'
import { ArchivePage } from '../../files/archive/archive-page.tsx'
import { archivedUrl, archiveHref, archiveQuery, type ShownArchive } from '../../files/queries/archive-query.ts'
import { ListingSkeleton } from '../../files/list/listing-skeleton.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { EmptyState } from '../../kit/feedback/empty-state.tsx'
import { useNavigateTo, useSearchValue } from '../../lib/navigation/navigation.tsx'
import { startDownload } from '../../lib/start-download.ts'
import { type FileSource, FileSourceProvider, withContent } from '../../viewer/file/file-source.ts'
import { Viewer } from '../../viewer/viewer.tsx'

/** Shows the folder or file of an archive that `?inside=` names, in the encoding that `?encoding=` names. */
export function ArchiveScreen({ file, path }: Omit<ShownArchive, 'encoding'>) {
  const t = useText()
  const client = useClient()
  const requested = useSearchValue('inside') ?? ROOT
  const inside = tryParseVirtualPath(requested) ?? ROOT
  const folder = requested.endsWith('/') ? inside : parentOf(inside)
  const chosen = useSearchValue('encoding')
  const encoding = isEncoding(chosen) ? chosen : undefined
  const archive = useMemo(() => ({ file, path, encoding }), [file, path, encoding])
  const { data: listing, error } = useQuery(archiveQuery(client, archive, folder))
  if (error !== null) {
    return (
      <EmptyState
        title={t('archive.failed')}
        actions={
          <Button variant="primary" icon="download" onClick={() => startDownload(fileUrl(client, path), file.name)}>
            {t('files.download')}
          </Button>
        }
      >
        <Refusal problem={problemOf(error)} />
      </EmptyState>
    )
  }
  if (listing === undefined) return <ListingSkeleton />
  const shown = folder === inside ? undefined : listing.items.find(({ name }) => name === nameOf(inside))
  return shown === undefined || shown.isDir ? (
    <ArchivePage key={folder} archive={archive} folder={folder} listing={listing} />
  ) : (
    <ArchivedViewer archive={archive} file={shown} folder={folder} entries={listing.items} />
  )
}

interface ArchivedViewerProps {
  readonly archive: ShownArchive
  readonly file: Resource
  readonly folder: VirtualPath
  readonly entries: readonly Resource[]
}

/** A file of an archive in the viewer. */
function ArchivedViewer({ archive, file, folder, entries }: ArchivedViewerProps) {
  const t = useText()
  const client = useClient()
  const navigateTo = useNavigateTo()
  const source = useMemo(() => sourceOf(client, archive), [client, archive])
  const path = childOf(folder, file.name)
  return (
    <FileSourceProvider value={source}>
      <Viewer
        file={file}
        path={path}
        entries={entries}
        actions={[
          {
            id: 'download',
            label: t('files.download'),
            icon: 'download',
            run: () => startDownload(source.urls.download(path), file.name),
          },
        ]}
        onShow={(entry) => navigateTo(archiveHref(archive, childOf(folder, entry.name)), { replace: true })}
        onClose={() => navigateTo(archiveHref(archive, folder === ROOT ? ROOT : `${folder}/`), { replace: true })}
        onFollow={navigateTo}
      />
    </FileSourceProvider>
  )
}

/** The server makes no thumbnails or subtitles for files in archives, so all addresses lead to the file itself. */
function sourceOf(client: Client, archive: ShownArchive): FileSource {
  const raw = (path: string): string => archivedUrl(client, archive, path, true)
  return {
    urls: {
      raw,
      download: (path) => archivedUrl(client, archive, path, false),
      picture: raw,
      thumbnail: raw,
      subtitles: raw,
    },
    rootName: archive.file.name,
    appPathOf: (path) => archiveHref(archive, path),
    describe: async (path, file, signal) => await withContent(client, raw(path), file, signal),
  }
}
