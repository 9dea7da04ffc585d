/** Where the addresses inside of a document lead. `null` takes the address away. */
export interface DocumentLinks {
  /** Of a picture that is shown. */
  picture(address: string): string | null
  /** Of a link that is followed. */
  link(address: string): string | null
}

interface Places {
  /** The folder of the document, decoded: "/" or "/a/b/". */
  readonly folder: string
  /** The address of the bytes of a file, by its decoded path. */
  readonly raw: (path: string) => string
  /** The address of a file or a folder in the app, by its decoded path. */
  readonly place: (path: string) => string
}

/**
 * Addresses as a document in a folder means them: what is relative lies beside it. Pictures of other hosts are not
 * fetched, which would tell them who reads the document and when.
 */
export function linksOf({ folder, raw, place }: Places): DocumentLinks {
  return {
    picture(address) {
      const path = pathBeside(folder, address)
      return path === null ? null : raw(path)
    },
    link(address) {
      if (address.startsWith('#')) return address
      if (/^(https?:|mailto:)/i.test(address)) return address
      const path = pathBeside(folder, address)
      return path === null ? null : place(path)
    },
  }
}

/** The decoded path that a relative address names; null when it names a host, a scheme or nothing. */
function pathBeside(folder: string, address: string): string | null {
  const relative = address.split(/[?#]/, 1)[0] ?? ''
  // Browsers read "\\" as "/" and drop control characters and blanks in front, so "\\\\host" is another host.
  if (relative === '' || /^[/\\]{2}|^[a-z][a-z\d+.-]*:|[\p{Cc}\\]/iu.test(relative)) return null
  const segments = relative.startsWith('/') ? [] : folder.split('/').filter(Boolean)
  for (const segment of relative.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(decoded(segment))
  }
  if (segments.some((segment) => segment === '..' || segment.includes('/'))) return null
  return `/${segments.join('/')}${relative.endsWith('/') ? '/' : ''}`
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    if (error instanceof URIError) return segment
    throw error
  }
}
