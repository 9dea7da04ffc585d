const CALLS = /(\/api\/(?:public\/(?:share|dl|subtitle|preview\/[^/]+)|shares)\/[^/]{4})[^/]+/
const REMOVAL = /(\/api\/share\/[^/]{4})[^/]+/
const PAGE = /^((?:\/[^/]+)*?\/share\/[^/]{4})[^/]+/

/** The path as the log shows it: hashes of shares are cut, since whoever reads the whole hash has the link. */
export function loggedPath(path: string, method: string): string {
  if (!path.includes('/api/')) return path.replace(PAGE, '$1…')
  return path.replace(method === 'DELETE' ? REMOVAL : CALLS, '$1…')
}
