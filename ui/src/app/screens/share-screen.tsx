import { lazyPart } from '../../kit/lazy-part.tsx'
import { useLocation } from '../../lib/navigation/navigation.tsx'
import { PublicPage } from '../../public/public-page.tsx'

const FileViewer = lazyPart(async () => (await import('./share-viewer.tsx')).ShareViewer)

/** The page of a share link. */
export function ShareScreen() {
  return <PublicPage href={useLocation().href} FileViewer={FileViewer} />
}
