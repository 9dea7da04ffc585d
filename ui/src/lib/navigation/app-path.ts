import { decodeName, encodeName, encodePath } from '../../../../src/domain/files/name-text.ts'

/** App address of a file or folder: `/files/a%20b/` for the path "/a b/". Paths of folders end with a slash. */
export function filesHref(path: string): string {
  const relative = path.replace(/^\//, '')
  return `/files/${encodePath(relative)}`
}

/** The decoded path of an app address: "/a b/" for `/files/a%20b/?x=1`; `undefined` outside /files. */
export function filesPathOf(href: string): string | undefined {
  const pathname = href.split(/[?#]/, 1)[0] ?? ''
  if (pathname !== '/files' && !pathname.startsWith('/files/')) return undefined
  const segments = pathname.slice('/files/'.length).split('/')
  return `/${segments.map(decodeLoosely).join('/')}`
}

/** The parent folder: "/a/" for "/a/b" and for "/a/b/"; "/" for "/". */
export function parentFolder(path: string): string {
  return path.replace(/[^/]+\/?$/, '') || '/'
}

/** The last segment, without slashes; "" for the root. */
export function lastSegment(path: string): string {
  return path.replace(/\/$/, '').split('/').at(-1) ?? ''
}

/**
 * Where to go after signing in. Only addresses of this app are allowed: otherwise the login page could redirect to a
 * site that imitates it (open redirect).
 */
export function safeRedirect(target: unknown): string {
  if (typeof target !== 'string' || target.startsWith('/login')) return '/files/'
  // Browsers read "\\" as "/" and drop tabs and line breaks, so "/\\host" and "/\t/host" are addresses of other sites.
  return /^\/(?![/\\])[^\s]*$/.test(target) ? target : '/files/'
}

/** A percent sign without a valid escape is taken literally. */
export function decodeLoosely(segment: string): string {
  try {
    return decodeName(segment)
  } catch (error) {
    if (error instanceof URIError) return segment
    throw error
  }
}

interface SharedPath {
  readonly hash: string
  /** Decoded; "/" for the shared item itself. Paths of folders end with a slash. */
  readonly path: string
}

/** App address of a share: `/share/<hash>/a%20b/` for the path "/a b/". */
export function shareHref(hash: string, path: string): string {
  return `/share/${encodeName(hash)}${path === '/' ? '' : filesHref(path).slice('/files'.length)}`
}

/** Parses the app address of a share; `undefined` for other addresses. */
export function sharedPathOf(href: string): SharedPath | undefined {
  const [, hash, rest] = /^\/share\/([^/?#]+)(\/[^?#]*)?/.exec(href) ?? []
  if (hash === undefined) return undefined
  const [, name] = /^\/([^/]*)/.exec(filesPathOf(`/files/${hash}`) ?? '') ?? []
  return { hash: name ?? hash, path: filesPathOf(`/files${rest ?? '/'}`) ?? '/' }
}
