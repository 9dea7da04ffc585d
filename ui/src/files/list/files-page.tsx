import { useQuery } from '@tanstack/react-query'
import { type ComponentType, Suspense, useEffect, useState } from 'react'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import type { Sorting } from '../../../../src/domain/files/sorting.ts'
import { type VirtualPath, parseVirtualPath, ROOT } from '../../../../src/domain/files/virtual-path.ts'
import { isFilemgrError } from '../../../../src/domain/errors.ts'
import { folderName } from '../../common/where.ts'
import { ApiError } from '../../api/api-error.ts'
import { useClient } from '../../api/client.ts'
import { usePageTitle } from '../../api/page-config.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { filesHref } from '../../lib/navigation/app-path.ts'
import { useFilesPath, useLocation, useNavigateTo } from '../../lib/navigation/navigation.tsx'
import type { QuickLookProps } from './commands/use-quick-look.ts'
import { FolderView } from './folder-view.tsx'
import { type Found, isListing, listingQuery } from '../queries/listing-query.ts'
import { places } from '../../api/places.ts'
import { LazyBoundary, lazyComponent } from '../../kit/lazy-component.tsx'
import { useStore } from '../../lib/create-store.ts'
import { ListingSkeleton } from './listing-skeleton.tsx'
import { BesideDetails } from './pane/beside-details.tsx'
import type { PanesProps } from './pane/panes.tsx'
import { usePane } from './pane/two-panes.ts'
import { Panes, useTwoPanes } from './pane/use-two-panes.ts'
import { LoadingFolder } from './loading-folder.tsx'

const PlacesView = lazyComponent(async () => (await import('../places/places-view.tsx')).PlacesView, ListingSkeleton)

interface FilesPageProps {
  /** The way to the folder of a pane. */
  readonly Crumbs: PanesProps['Crumbs']
  /** Shows the file if the address names one. Its code is loaded on first use. */
  readonly FileScreen: ComponentType<{ readonly file: Resource; readonly path: VirtualPath }>
  /** The preview over the list. */
  readonly QuickLook: ComponentType<QuickLookProps>
}

/** The folder or file of the address. Throws server errors to the error boundary. */
export function FilesPage({ Crumbs, FileScreen, QuickLook }: FilesPageProps) {
  const t = useText()
  const client = useClient()
  const path = useFilesPath() ?? '/'
  const folder = toVirtualPath(path)
  const cameFrom = useCameFrom(folder)
  const panes = useTwoPanes()
  const title = folderName(t, path)
  usePageTitle(title)
  const { data: found } = useQuery({ ...listingQuery(client, folder), throwOnError: isNotThere })
  const isFolder = found === undefined ? path.endsWith('/') : isListing(found)
  useTrailingSlash(path, found !== undefined && isFolder)
  const opened = <OpenFolder cameFrom={cameFrom} QuickLook={QuickLook} />
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
        <BesideDetails panes={panes}>
          {panes.used ? (
            <LazyBoundary onError={panes.fail}>
              <Panes other={panes.other} side={panes.side} Crumbs={Crumbs} onClose={panes.setSide} onFail={panes.fail}>
                {opened}
              </Panes>
            </LazyBoundary>
          ) : (
            opened
          )}
        </BesideDetails>
      )}
    </>
  )
}

interface OpenFolderProps {
  /** The entry that the page comes back from, if it is in the folder of the address. */
  readonly cameFrom: string | null
  readonly QuickLook: FilesPageProps['QuickLook']
}

/** The folder at the place of its pane, or of the page. */
function OpenFolder({ cameFrom, QuickLook }: OpenFolderProps) {
  const client = useClient()
  const { isActive } = usePane()
  const folder = toVirtualPath(useFilesPath() ?? '/')
  const { key: visit, reveal } = useLocation().state
  const inPane = useCameFrom(folder)
  const { data: found } = useQuery({ ...listingQuery(client, folder), throwOnError: isNotThere })
  const sorting = useLastSorting(found)
  const lists = useStore(places) !== undefined && folder === ROOT
  const from = inPane ?? (isActive ? cameFrom : null) ?? reveal ?? null
  if (lists)
    return (
      <Suspense fallback={<ListingSkeleton />}>
        <PlacesView cameFrom={from} />
      </Suspense>
    )
  if (found === undefined) return <LoadingFolder key={folder} folder={folder} sorting={sorting} />
  if (!isListing(found)) throw new ApiError({ status: 404, message: 'not a folder' })
  return (
    <FolderView
      key={`${folder}\n${visit}`}
      folder={folder}
      listing={found}
      visit={visit}
      cameFrom={from}
      QuickLook={QuickLook}
    />
  )
}

/** An error of a later request leaves what is shown. */
/** What was read before is shown on, unless its disk is away. */
function isNotThere(error: Error, { state }: { readonly state: { readonly data: unknown } }): boolean {
  return state.data === undefined || (error instanceof ApiError && error.code === 'UNAVAILABLE')
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
