import { lazyPart } from '../kit/lazy-part.tsx'
import { useLocation } from '../lib/navigation.tsx'
import { PublicPage } from '../public/public-page.tsx'
import type { PublicParts } from '../public/open-share.ts'

/** A single file needs neither a list nor a viewer. */
const PARTS: PublicParts = {
  Folder: lazyPart(async () => (await import('./share-folder.tsx')).ShareFolder),
  FileViewer: lazyPart(async () => (await import('./share-viewer.tsx')).ShareViewer),
}

/** What a visitor sees behind a link. */
export function ShareScreen() {
  return <PublicPage href={useLocation().href} parts={PARTS} />
}
