import { decodeName, encodeName, encodePath } from '../../domain/files/name-text.ts'
import { cleanVirtualPath } from '../../domain/files/virtual-path.ts'

/** Where an address of a public link of FileBrowser Quantum leads here. */
export interface MovedLink {
  readonly hash: string
  /** Below the base URL. */
  readonly address: string
}

/** The ways in which its releases have given out bytes: the link is named by the query. */
const DOWNLOADS = [
  '/public/api/resources/download',
  '/public/api/resources/view',
  '/public/api/media/stream',
  '/public/api/raw',
  '/public/dl',
]
/** Here the link is named by the path. */
const PAGE = /^\/public\/share\/([^/]+)(\/.*)?$/
const DOWNLOAD = /^\/public\/dl\/([^/]+)(\/.*)?$/

/** Only this can be the hash of a link, so that no redirect leads to another host. */
const HASH = /^[\w-]{1,64}$/

/**
 * Undefined for an address that is none of a link of Quantum.
 *
 * @param path below the base URL, percent-encoded
 * @param query with its "?"
 */
export function movedLink(path: string, query: string): MovedLink | undefined {
  const [, page, inPage = ''] = PAGE.exec(path) ?? []
  if (page !== undefined) return linkTo(page, `/share/${page}${inPage}${query}`)
  const [, download, inDownload = ''] = DOWNLOAD.exec(path) ?? []
  if (download !== undefined) return linkTo(download, `/api/public/dl/${download}${inDownload}${query}`)
  return DOWNLOADS.includes(path.replace(/\/$/, '')) ? downloadOf(new URLSearchParams(query)) : undefined
}

function downloadOf(query: URLSearchParams): MovedLink | undefined {
  const hash = query.get('hash') ?? ''
  const [first = '/', ...others] = filesOf(query)
  const chosen = new URLSearchParams()
  // A list of encoded paths, as File Browser takes it.
  if (others.length > 0) chosen.set('files', [first, ...others].map(encodeName).join(','))
  if (query.get('inline') === 'true') chosen.set('inline', 'true')
  if (query.get('algo') === 'tar.gz') chosen.set('algo', 'targz')
  const path = others.length > 0 || first === '/' ? '' : encodePath(first)
  return linkTo(hash, `/api/public/dl/${hash}${path}${chosen.size > 0 ? `?${chosen.toString()}` : ''}`)
}

/** `file` may be repeated; before, `files` was one text, encoded twice, with "||" between the paths. */
function filesOf(query: URLSearchParams): string[] {
  const joined = query.getAll('files').flatMap((text) => decoded(text).split('||'))
  return [...query.getAll('file'), ...joined, ...query.getAll('path')].map((text) => cleanVirtualPath(text))
}

function decoded(text: string): string {
  try {
    return decodeName(text)
  } catch {
    return text
  }
}

function linkTo(hash: string, address: string): MovedLink | undefined {
  return HASH.test(hash) ? { hash, address } : undefined
}
