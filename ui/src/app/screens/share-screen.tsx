import { lazyComponent } from '../../kit/lazy-component.tsx'
import { useLocation } from '../../lib/navigation/navigation.tsx'
import { PublicPage } from '../../public/public-page.tsx'

const FileViewer = lazyComponent(async () => (await import('./share-viewer.tsx')).ShareViewer)

/** The page of a share link. */
export function ShareScreen() {
  return <PublicPage href={useLocation().href} FileViewer={FileViewer} />
}
