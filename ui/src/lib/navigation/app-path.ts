/** The place of a file or a folder in the app: `/files/a%20b/` for the path "/a b/". A folder's path ends in a slash. */
export function filesHref(path: string): string {
  const relative = path.replace(/^\//, '')
  return `/files/${relative.split('/').map(encodeURIComponent).join('/')}`
}

/** The decoded path that a place in the app names: "/a b/" for `/files/a%20b/?x=1`; `undefined` outside of /files. */
export function filesPathOf(href: string): string | undefined {
  const pathname = href.split(/[?#]/, 1)[0] ?? ''
  if (pathname !== '/files' && !pathname.startsWith('/files/')) return undefined
  const segments = pathname.slice('/files/'.length).split('/')
  return `/${segments.map(decodeSegment).join('/')}`
}

/** The folder around a path: "/a/" for "/a/b" and for "/a/b/"; "/" for "/". */
export function parentFolder(path: string): string {
  return path.replace(/[^/]+\/?$/, '') || '/'
}

/** The last segment, without slashes; "" for the root. */
export function lastSegment(path: string): string {
  return path.replace(/\/$/, '').split('/').at(-1) ?? ''
}

/**
 * Where to go after signing in. Only places of this app are followed: with any other address the login page would send
 * people on to a site that imitates it (open redirect).
 */
export function safeRedirect(wanted: unknown): string {
  if (typeof wanted !== 'string' || wanted.startsWith('/login')) return '/files/'
  // Browsers read "\\" as "/" and drop tabs and line breaks, so "/\\host" and "/\t/host" are addresses of other sites.
  return /^\/(?![/\\])[^\s]*$/.test(wanted) ? wanted : '/files/'
}

/** A percent sign that introduces no escape stands for itself. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    if (error instanceof URIError) return segment
    throw error
  }
}

interface SharedPlace {
  readonly hash: string
  /** Decoded, "/" for what was shared itself; the path of a folder ends in a slash. */
  readonly path: string
}

/** The place of a public link in the app: `/share/<hash>/a%20b/` for the path "/a b/". */
export function shareHref(hash: string, path: string): string {
  return `/share/${encodeURIComponent(hash)}${path === '/' ? '' : filesHref(path).slice('/files'.length)}`
}

/** What a place in the app shows of a public link; `undefined` for places that are none. */
export function sharedPlaceOf(href: string): SharedPlace | undefined {
  const [, hash, rest] = /^\/share\/([^/?#]+)(\/[^?#]*)?/.exec(href) ?? []
  if (hash === undefined) return undefined
  const [, name] = /^\/([^/]*)/.exec(filesPathOf(`/files/${hash}`) ?? '') ?? []
  return { hash: name ?? hash, path: filesPathOf(`/files${rest ?? '/'}`) ?? '/' }
}
