import { type NameProblem, nameProblem } from '../../../../src/domain/files/name-text.ts'
import { childOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'

const TEXTS = {
  slash: 'files.nameWithSlash',
  dots: 'files.nameIsDots',
  tooLong: 'files.nameTooLong',
  controls: 'files.nameWithControls',
} as const satisfies Readonly<Record<Exclude<NameProblem, 'empty'>, string>>

/** The message id of what is wrong with a trimmed name; null for a valid name. */
export function checkNewName(name: string): (typeof TEXTS)[keyof typeof TEXTS] | null {
  const problem = nameProblem(name)
  return problem === undefined || problem === 'empty' ? null : TEXTS[problem]
}

/** A path that ends with a slash creates a folder. */
export function newEntryPath(folder: VirtualPath, name: string, kind: 'folder' | 'file'): string {
  return childOf(folder, name) + (kind === 'folder' ? '/' : '')
}
