import { filesHref, filesPathOf } from './app-path.ts'

export interface SharedPlace {
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
