import { cleanVirtualPath, type VirtualPath } from '../../../../src/domain/virtual-path.ts'

/** Where the settings of the server place a folder that somebody with this scope sees as `path`. */
export function serverPath(ownScope: VirtualPath, path: VirtualPath): VirtualPath {
  return cleanVirtualPath(`${ownScope}/${path}`)
}

/** How somebody with this scope sees a folder of the server; undefined for what lies outside. */
export function ownPath(ownScope: VirtualPath, text: string): VirtualPath | undefined {
  const path = cleanVirtualPath(text)
  if (path === ownScope) return cleanVirtualPath('/')
  const beneath = ownScope === '/' ? '/' : `${ownScope}/`
  return path.startsWith(beneath) ? cleanVirtualPath(path.slice(beneath.length)) : undefined
}
