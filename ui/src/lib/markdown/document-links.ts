import { decodeLoosely } from '../navigation/app-path.ts'

/** Rewrites the addresses in a document. `null` removes an address. */
export interface DocumentLinks {
  /** For images. */
  picture(address: string): string | null
  /** For links. */
  link(address: string): string | null
}

interface LinkTargets {
  /** The folder of the document, decoded: "/" or "/a/b/". */
  readonly folder: string
  /** URL of a file's content, by its decoded path. */
  readonly raw: (path: string) => string
  /** Address of a file or folder in the app, by its decoded path. */
  readonly hrefOf: (path: string) => string
}

/**
 * Resolves relative addresses against the document's folder. Images of other hosts are not loaded: they would reveal
 * who reads the document and when.
 */
export function linksOf({ folder, raw, hrefOf }: LinkTargets): DocumentLinks {
  return {
    picture(address) {
      const path = pathBeside(folder, address)
      return path === null ? null : raw(path)
    },
    link(address) {
      if (address.startsWith('#')) return address
      if (/^(https?:|mailto:)/i.test(address)) return address
      const path = pathBeside(folder, address)
      return path === null ? null : hrefOf(path)
    },
  }
}

/** The decoded path of a relative address; null for other hosts, schemes and empty addresses. */
function pathBeside(folder: string, address: string): string | null {
  const relative = address.split(/[?#]/, 1)[0] ?? ''
  // Browsers read "\\" as "/" and skip leading control characters and blanks, so "\\\\host" is another host.
  if (relative === '' || /^[/\\]{2}|^[a-z][a-z\d+.-]*:|[\p{Cc}\\]/iu.test(relative)) return null
  const segments = relative.startsWith('/') ? [] : folder.split('/').filter(Boolean)
  for (const segment of relative.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(decodeLoosely(segment))
  }
  if (segments.some((segment) => segment === '..' || segment.includes('/'))) return null
  return `/${segments.join('/')}${relative.endsWith('/') ? '/' : ''}`
}
