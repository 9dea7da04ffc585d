import { childOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'

const MAX_NAME_BYTES = 255
const encoder = new TextEncoder()

type NameProblem = 'files.nameWithSlash' | 'files.nameIsDots' | 'files.nameTooLong' | 'files.nameWithControls'

/** The message id of what is wrong with a trimmed name; null for a valid name. */
export function checkNewName(name: string): NameProblem | null {
  if (name.includes('/')) return 'files.nameWithSlash'
  if (name === '.' || name === '..') return 'files.nameIsDots'
  if (/\p{Cc}/u.test(name)) return 'files.nameWithControls'
  return encoder.encode(name).length > MAX_NAME_BYTES ? 'files.nameTooLong' : null
}

/** A path that ends with a slash creates a folder. */
export function newEntryPath(folder: VirtualPath, name: string, kind: 'folder' | 'file'): string {
  return childOf(folder, name) + (kind === 'folder' ? '/' : '')
}

const MAX_EXTENSION_LENGTH = 10

/** Length of the part that a rename selects: all but the extension, ".tar.gz" included; folders have none. */
export function stemLength(name: string, isDir: boolean): number {
  if (isDir) return name.length
  const double = /\.tar\.[a-z0-9]{1,4}$/i.exec(name)
  const dot = double?.index ?? name.lastIndexOf('.')
  return dot <= 0 || name.length - dot > MAX_EXTENSION_LENGTH ? name.length : dot
}
