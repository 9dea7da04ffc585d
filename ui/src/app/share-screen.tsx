import type { PublicParts } from '../public/open-share.ts'
import { PublicPage } from '../public/public-page.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'

/** A single file needs neither a list nor a viewer. */
const PARTS: PublicParts = {
  Folder: lazyPart(async () => (await import('./share-folder.tsx')).ShareFolder),
  FileViewer: lazyPart(async () => (await import('./share-viewer.tsx')).ShareViewer),
}

/** What a visitor sees behind a link, with what other features lend to it. */
export function ShareScreen({ href }: { readonly href: string }) {
  return <PublicPage href={href} parts={PARTS} />
}
