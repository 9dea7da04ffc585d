import { useQuery } from '@tanstack/react-query'
import { type ComponentType, Suspense, useEffect, useState } from 'react'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import type { Sorting } from '../../../../src/domain/files/sorting.ts'
import { type VirtualPath, parseVirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { isFilemgrError } from '../../../../src/domain/errors.ts'
import { ApiError } from '../../api/api-error.ts'
import { useClient } from '../../api/client.ts'
import { usePageTitle } from '../../api/page-config.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { filesHref, lastSegment } from '../../lib/navigation/app-path.ts'
import { useFilesPath, useLocation, useNavigateTo } from '../../lib/navigation/navigation.tsx'
import type { QuickLookProps } from './commands/use-quick-look.ts'
import { FolderView } from './folder-view.tsx'
import { type Found, isListing, listingQuery } from '../queries/listing-query.ts'
import { ListingSkeleton } from './listing-skeleton.tsx'
import { BesideDetails } from './pane/beside-details.tsx'
import { LoadingFolder } from './loading-folder.tsx'

interface FilesPageProps {
  /** Shows the file if the address names one. Its code is loaded on first use. */
  readonly FileScreen: ComponentType<{ readonly file: Resource; readonly path: VirtualPath }>
  /** The preview over the list. */
  readonly QuickLook: ComponentType<QuickLookProps>
}

/** The folder or file of the address. Throws server errors to the error boundary. */
export function FilesPage({ FileScreen, QuickLook }: FilesPageProps) {
  const t = useText()
  const client = useClient()
  const path = useFilesPath() ?? '/'
  const folder = toVirtualPath(path)
  const { key: visit, reveal } = useLocation().state
  const cameFrom = useCameFrom(folder) ?? reveal ?? null
  const name = lastSegment(path)
  const title = name === '' ? t('files.root') : name
  usePageTitle(title)
  const { data: found } = useQuery({
    ...listingQuery(client, folder),
    throwOnError: (_error, query) => query.state.data === undefined,
  })
  const sorting = useLastSorting(found)
  const listing = found !== undefined && isListing(found) ? found : undefined
  const isFolder = found === undefined ? path.endsWith('/') : listing !== undefined
  useTrailingSlash(path, listing !== undefined)
  return (
    <>
      <h1 className="visually-hidden">{title}</h1>
      {found === undefined && !isFolder && <ListingSkeleton key={folder} />}
      {found !== undefined && !isListing(found) && (
        <Suspense fallback={<ListingSkeleton />}>
          <FileScreen file={found} path={folder} />
        </Suspense>
      )}
      {isFolder && (
        <BesideDetails>
          {listing === undefined ? (
            <LoadingFolder key={folder} folder={folder} sorting={sorting} />
          ) : (
            <FolderView
              key={`${folder}\n${visit}`}
              folder={folder}
              listing={listing}
              visit={visit}
              cameFrom={cameFrom}
              QuickLook={QuickLook}
            />
          )}
        </BesideDetails>
      )}
    </>
  )
}

/** @throws ApiError with status 404 for an address that is not a valid path */
function toVirtualPath(path: string): VirtualPath {
  try {
    return parseVirtualPath(path)
  } catch (error) {
    if (isFilemgrError(error)) throw new ApiError({ status: 404, message: error.message }, { cause: error })
    throw error
  }
}

/** The order of the last list, which the next one most likely has too. */
function useLastSorting(found: Found | undefined): Sorting {
  const [last, setLast] = useState<Sorting>({ by: 'name', asc: true })
  const now = found !== undefined && isListing(found) ? found.sorting : last
  if (now.by !== last.by || now.asc !== last.asc) setLast(now)
  return now
}

/** The entry of this folder that contains the previously shown folder, if any. */
function useCameFrom(folder: VirtualPath): string | null {
  const [trail, setTrail] = useState<{ now: VirtualPath; before: VirtualPath | null }>({ now: folder, before: null })
  if (trail.now !== folder) setTrail({ now: folder, before: trail.now })
  const before = trail.now === folder ? trail.before : trail.now
  const prefix = folder === '/' ? '/' : `${folder}/`
  if (before?.startsWith(prefix) !== true || before === folder) return null
  return before.slice(prefix.length).split('/')[0] ?? null
}

/** Makes the address of a folder end with a slash, so that relative links and the breadcrumbs agree. */
function useTrailingSlash(path: string, isFolder: boolean): void {
  const navigateTo = useNavigateTo()
  const missing = isFolder && !path.endsWith('/')
  useEffect(() => {
    if (missing) navigateTo(filesHref(`${path}/`), { replace: true })
  }, [missing, navigateTo, path])
}
