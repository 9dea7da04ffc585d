import { useQuery } from '@tanstack/react-query'
import { type ComponentType, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { Listing, Resource } from '../../../src/domain/files/resource.ts'
import type { LinkView } from '../../../src/domain/shares/share-terms.ts'
import {
  nameOf,
  parentOf,
  ROOT,
  tryParseVirtualPath,
  type VirtualPath,
} from '../../../src/domain/files/virtual-path.ts'
import { ApiError } from '../api/api-error.ts'
import { useClient } from '../api/client.ts'
import { usePageTitle } from '../api/page-config.tsx'
import { useText } from '../i18n/use-text.tsx'
import { lazyComponent } from '../kit/lazy-component.tsx'
import { Spinner } from '../kit/feedback/progress.tsx'
import { sharedPathOf, shareHref } from '../lib/navigation/app-path.ts'
import { appHref, useNavigateTo, useNavigation } from '../lib/navigation/navigation.tsx'
import {
  createShareUrls,
  entryTowards,
  type FolderChoices,
  type FolderPosition,
  NO_CHOICE,
  type FileViewerProps,
  type OpenShare,
} from './open-share.ts'
import { LinkText } from './link-text.tsx'
import { PublicFrame, ShareProblem } from './public-frame.tsx'
import type { Sender } from './send/sender.ts'
import { isFolder, shareQuery, useVisit, type Visit } from './use-visit.ts'
import styles from './card.module.css'

interface PublicPageProps {
  /** The current location of the app: path and query. */
  readonly href: string
  /** Comes from the app, which may import the viewer. */
  readonly FileViewer: ComponentType<FileViewerProps>
}

/** The page behind a share link. */
export function PublicPage({ href, FileViewer }: PublicPageProps) {
  const t = useText()
  const shared = sharedPathOf(href)
  const search = new URLSearchParams(/\?([^#]*)/.exec(href)?.[1])
  const path = shared && tryParseVirtualPath(shared.path)
  usePageTitle(t('public.title'))
  if (shared === undefined || path === undefined) {
    const notFound = new ApiError({ status: 404, message: 'not the address of a share link' })
    return (
      <PublicFrame>
        <ShareProblem error={notFound} onRetry={() => location.reload()} />
      </PublicFrame>
    )
  }
  return (
    <VisitedShare
      key={shared.hash}
      hash={shared.hash}
      path={path}
      viewing={search.has('view')}
      token={search.get('token') ?? undefined}
      FileViewer={FileViewer}
    />
  )
}

const FolderPage = lazyComponent(async () => (await import('./folder/folder-page.tsx')).FolderPage, Loading)
const FileCard = lazyComponent(async () => (await import('./file-card.tsx')).FileCard, Loading)
const SendCard = lazyComponent(async () => (await import('./send/send-card.tsx')).SendCard, Loading)
const Viewing = lazyComponent(async () => (await import('./viewing.tsx')).Viewing, Loading)
const PasswordCard = lazyComponent(async () => (await import('./password-card.tsx')).PasswordCard, Loading)

interface VisitedShareProps {
  readonly hash: string
  readonly path: VirtualPath
  /** Whether the file is shown in the viewer. */
  readonly viewing: boolean
  /** The token in the address. */
  readonly token: string | undefined
  readonly FileViewer: ComponentType<FileViewerProps>
}

/** A share: its password form, its folders and its files. */
function VisitedShare({ hash, path, viewing, token: given, FileViewer }: VisitedShareProps) {
  const scroll = useRef<HTMLDivElement>(null)
  const [senders] = useState(() => new Map<string, Sender>())
  // Here, because they outlive the folders and files that are shown in turn.
  const [choices, setChoices] = useState<FolderChoices>(NO_CHOICE)
  const [memory] = useState(() => new Map<string, FolderPosition>())
  const visit = useVisit(hash, path, given)
  const previousPath = usePreviousPath(path)
  useHiddenToken(hash, path, viewing, visit.kind === 'open' && given !== undefined)
  const { share, file, folder, place } = useShown(hash, path, visit)

  // The title of its owner is the main heading where it is shown.
  const Name = visit.kind === 'open' && place === ROOT && visit.link.title ? 'h2' : 'h1'

  if (viewing && file !== undefined) {
    return (
      <Suspense fallback={<Loading />}>
        <Viewing FileViewer={FileViewer} share={share} file={file} path={place} folder={folder} choices={choices} />
      </Suspense>
    )
  }
  return (
    <PublicFrame scroll={scroll}>
      {visit.kind === 'loading' && <Loading />}
      {visit.kind === 'locked' && <PasswordCard unlock={visit.unlock} />}
      {visit.kind === 'sending' && <SendCard {...visit} hash={hash} senders={senders} />}
      {visit.kind === 'failed' && <ShareProblem error={visit.error} onRetry={visit.retry} />}
      {visit.kind === 'open' && (
        <div className={styles['shared']}>
          {place === ROOT && <LinkText {...visit.link} />}
          {place === ROOT && visit.link.allows === 'both' && <SendCard {...visit} hash={hash} senders={senders} />}
          {isFolder(visit.shared) ? (
            <FolderPage
              key={path}
              Name={Name}
              share={share}
              folder={path}
              listing={visit.shared}
              choices={choices}
              onChoose={setChoices}
              scroll={scroll}
              memory={memory}
              start={entryTowards(path, previousPath)}
            />
          ) : (
            <FileCard key={path} Name={Name} share={share} file={visit.shared} path={place} />
          )}
        </div>
      )}
    </PublicFrame>
  )
}

interface Shown {
  readonly share: OpenShare
  readonly file: Resource | undefined
  /** The folder that is shown, or that the file is in. */
  readonly folder: Listing | undefined
  /** Its path in the share; the root for a share of a single file. */
  readonly place: VirtualPath
}

/** What a visit shows, and the title of the page for it. */
function useShown(hash: string, path: VirtualPath, visit: Visit): Shown {
  const t = useText()
  const client = useClient()
  const { shared, token, link } = visit.kind === 'open' ? visit : NOTHING_OPEN
  const file = shared && !isFolder(shared) ? shared : undefined
  const inFolder = file !== undefined && path !== ROOT && file.path !== ''
  // For a file in a shared folder: the other files, and the name of the share.
  const siblings = useQuery({ ...shareQuery(client, hash, parentOf(path), token), enabled: inFolder }).data
  const folder = shared && isFolder(shared) ? shared : siblings && isFolder(siblings) ? siblings : undefined
  const share = useOpenShare(hash, token, folder?.name ?? shared?.name ?? '', link)
  const title = shared && (isFolder(shared) ? nameOf(path) || shared.name : shared.name)
  usePageTitle(title ?? ((visit.kind === 'sending' && visit.link.title) || t('public.title')))
  const isIn = inFolder || file === undefined
  return { share, file, folder: isIn ? folder : undefined, place: isIn ? path : ROOT }
}

const NOTHING_OPEN = { shared: undefined, token: undefined, link: undefined }

/** Invisible for the first moment. */
function Loading() {
  const t = useText()
  return (
    <div className={styles['loading']} role="status" aria-label={t('public.loading')}>
      <Spinner size={24} />
    </div>
  )
}

function useOpenShare(
  hash: string,
  token: string | undefined,
  name: string,
  link: Pick<LinkView, 'allows' | 'downloadsLeft'> | undefined,
): OpenShare {
  const client = useClient()
  const downloadsLeft = link?.downloadsLeft ?? null
  const mayDownload = link?.allows !== 'view'
  const { base } = useNavigation()
  return useMemo(() => {
    const appPathOf = (path: string) => shareHref(hash, path)
    const linkTo = (path: string) => new URL(appHref(base, appPathOf(path)), location.href).href
    const urls = createShareUrls(client, hash, token)
    return { hash, token, name, mayDownload, downloadsLeft, appPathOf, linkTo, urls }
  }, [client, base, hash, token, name, mayDownload, downloadsLeft])
}

/** The path shown before this one. */
function usePreviousPath(path: string): string | null {
  const [paths, setPaths] = useState<{ readonly now: string; readonly before: string | null }>({
    now: path,
    before: null,
  })
  if (paths.now !== path) setPaths({ now: path, before: paths.now })
  return paths.now === path ? paths.before : paths.now
}

/** Removes the token from the address bar, so it is not passed on with a copied address. */
function useHiddenToken(hash: string, path: string, viewing: boolean, enabled: boolean): void {
  const navigateTo = useNavigateTo()
  useEffect(() => {
    if (enabled) navigateTo(shareHref(hash, path) + (viewing ? '?view=true' : ''), { replace: true })
  }, [navigateTo, hash, path, viewing, enabled])
}
