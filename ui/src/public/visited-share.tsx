import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { Listing, Resource } from '../../../src/domain/resource.ts'
import { childOf, nameOf, parentOf, ROOT, type VirtualPath } from '../../../src/domain/virtual-path.ts'
import { useClient } from '../api/client-context.tsx'
import { usePageTitle } from '../api/use-page-title.ts'
import { useText } from '../i18n/use-text.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { Spinner } from '../kit/feedback/progress.tsx'
import { usePlace } from '../lib/app-place.ts'
import { shareHref } from '../lib/share-path.ts'
import { appHref, useNavigateTo } from '../lib/use-navigate-to.ts'
import styles from './card.module.css'
import { FileCard } from './file-card.tsx'
import { entryTowards, type FolderChoices, type LeftFolder, NO_CHOICE } from './folder-state.ts'
import { PublicFrame } from './public-frame.tsx'
import type { OpenShare, PublicParts } from './public-parts.ts'
import { ShareProblem } from './share-problem.tsx'
import { isFolder, shareQuery } from './share-query.ts'
import { createShareUrls } from './share-urls.ts'
import { useCopyLink } from './use-copy-link.ts'
import { useVisit } from './use-visit.ts'

const PasswordCard = lazyPart(async () => (await import('./password-card.tsx')).PasswordCard)

interface VisitedShareProps {
  readonly hash: string
  readonly path: VirtualPath
  /** A file is to be shown on the whole screen. */
  readonly viewing: boolean
  /** Came with the address. */
  readonly token: string | undefined
  readonly parts: PublicParts
}

/** One link, from the question for its password to its last file. */
export function VisitedShare({ hash, path, viewing, token: given, parts }: VisitedShareProps) {
  const t = useText()
  const client = useClient()
  const scroll = useRef<HTMLDivElement>(null)
  const [choices, setChoices] = useState<FolderChoices>(NO_CHOICE)
  const [memory] = useState(() => new Map<string, LeftFolder>())
  const visit = useVisit(hash, path, given)
  const cameFrom = useCameFrom(path)
  useTokenTakenOff(hash, path, viewing, visit.kind === 'open' && given !== undefined)

  const shared = visit.kind === 'open' ? visit.shared : undefined
  const token = visit.kind === 'open' ? visit.token : undefined
  const inFolder = shared !== undefined && !isFolder(shared) && path !== ROOT && shared.path !== ''
  // A file of a folder: the others of that folder, and how the share is called.
  const beside = useQuery({ ...shareQuery(client, hash, parentOf(path), token), enabled: inFolder }).data
  const folder = shared && isFolder(shared) ? shared : beside && isFolder(beside) ? beside : undefined
  const share = useOpenShare(hash, token, folder?.name ?? shared?.name ?? '')
  const title = shared && (isFolder(shared) ? nameOf(path) || shared.name : shared.name)
  usePageTitle(title ?? t('public.title'))

  if (viewing && shared !== undefined && !isFolder(shared)) {
    return (
      <Suspense fallback={<Loading />}>
        <Viewing
          parts={parts}
          share={share}
          file={shared}
          path={inFolder ? path : ROOT}
          folder={inFolder ? folder : undefined}
          choices={choices}
        />
      </Suspense>
    )
  }
  return (
    <PublicFrame scroll={scroll}>
      <Suspense fallback={<Loading />}>
        {visit.kind === 'loading' && <Loading />}
        {visit.kind === 'closed' && <PasswordCard unlock={visit.unlock} />}
        {visit.kind === 'failed' && <ShareProblem error={visit.error} onRetry={visit.retry} />}
        {shared !== undefined && !isFolder(shared) && (
          <FileCard key={path} share={share} file={shared} path={inFolder ? path : ROOT} />
        )}
        {shared !== undefined && isFolder(shared) && (
          <parts.Folder
            key={path}
            share={share}
            folder={path}
            listing={shared}
            choices={choices}
            onChoose={setChoices}
            scroll={scroll}
            memory={memory}
            start={entryTowards(path, cameFrom)}
          />
        )}
      </Suspense>
    </PublicFrame>
  )
}

/** Seen only where it takes a while. */
function Loading() {
  const t = useText()
  return (
    <div className={styles['loading']} role="status" aria-label={t('public.loading')}>
      <Spinner size={24} />
    </div>
  )
}

interface ViewingProps {
  readonly parts: PublicParts
  readonly share: OpenShare
  readonly file: Resource
  readonly path: VirtualPath
  readonly folder: Listing | undefined
  readonly choices: FolderChoices
}

function Viewing({ parts, share, file, path, folder, choices }: ViewingProps) {
  const { history } = usePlace()
  const navigateTo = useNavigateTo()
  const parent = parentOf(path)
  const copyLink = useCopyLink(share)
  const [alone] = useState(() => [file])
  const close = (): void => {
    if (history.canGoBack()) history.back()
    else navigateTo(share.placeOf(path === ROOT || parent === ROOT ? ROOT : `${parent}/`), { replace: true })
  }
  return (
    <parts.FileViewer
      share={share}
      file={file}
      path={path}
      entries={folder?.items ?? alone}
      sorting={choices.sorting}
      onShow={(entry) => navigateTo(`${share.placeOf(childOf(parent, entry.name))}?view=true`, { replace: true })}
      onClose={close}
      onCopyLink={() => copyLink(path)}
    />
  )
}

function useOpenShare(hash: string, token: string | undefined, name: string): OpenShare {
  const client = useClient()
  const { basepath } = usePlace()
  return useMemo(() => {
    const placeOf = (path: string) => shareHref(hash, path)
    const linkTo = (path: string) => new URL(appHref(basepath, placeOf(path)), location.href).href
    return { hash, token, name, placeOf, linkTo, urls: createShareUrls(client, hash, token) }
  }, [client, basepath, hash, token, name])
}

/** The path that was shown before this one. */
function useCameFrom(path: string): string | null {
  const [trail, setTrail] = useState<{ readonly now: string; readonly before: string | null }>({
    now: path,
    before: null,
  })
  if (trail.now !== path) setTrail({ now: path, before: trail.now })
  return trail.now === path ? trail.before : trail.now
}

/** What opens a link must not stay in the address, which people pass on. */
function useTokenTakenOff(hash: string, path: string, viewing: boolean, wanted: boolean): void {
  const navigateTo = useNavigateTo()
  useEffect(() => {
    if (wanted) navigateTo(shareHref(hash, path) + (viewing ? '?view=true' : ''), { replace: true })
  }, [navigateTo, hash, path, viewing, wanted])
}
