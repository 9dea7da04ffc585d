import { isFilemgrError } from '../../../src/domain/errors.ts'
import { parseVirtualPath, type VirtualPath } from '../../../src/domain/virtual-path.ts'
import { ApiError } from '../api/api-error.ts'
import { usePageTitle } from '../api/use-page-title.ts'
import { useText } from '../i18n/use-text.tsx'
import { sharedPlaceOf } from '../lib/share-path.ts'
import { PublicFrame } from './public-frame.tsx'
import type { PublicParts } from './public-parts.ts'
import { ShareProblem } from './share-problem.tsx'
import { VisitedShare } from './visited-share.tsx'

interface PublicPageProps {
  /** The place of the app that is shown. */
  readonly href: string
  readonly parts: PublicParts
}

/** What is behind a public link, at the address that is shown. */
export function PublicPage({ href, parts }: PublicPageProps) {
  const t = useText()
  const place = sharedPlaceOf(href)
  const search = new URLSearchParams(/\?([^#]*)/.exec(href)?.[1])
  const path = place && toVirtualPath(place.path)
  usePageTitle(t('public.title'))
  if (place === undefined || path === undefined) {
    const gone = new ApiError({ status: 404, message: 'no address of a link' })
    return (
      <PublicFrame>
        <ShareProblem error={gone} onRetry={() => location.reload()} />
      </PublicFrame>
    )
  }
  return (
    <VisitedShare
      key={place.hash}
      hash={place.hash}
      path={path}
      viewing={search.has('view')}
      token={search.get('token') ?? undefined}
      parts={parts}
    />
  )
}

/** Undefined for an address that can be no path. */
function toVirtualPath(path: string): VirtualPath | undefined {
  try {
    return parseVirtualPath(path)
  } catch (error) {
    if (isFilemgrError(error)) return undefined
    throw error
  }
}
