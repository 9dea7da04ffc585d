const MAX_NAME_BYTES = 255
const MAX_EXTENSION_LENGTH = 10
const encoder = new TextEncoder()

export const NAME_PROBLEMS = ['empty', 'slash', 'dots', 'controls', 'tooLong'] as const
export type NameProblem = (typeof NAME_PROBLEMS)[number]

/** Why a text cannot be the name of an entry on any disk; undefined if it can. */
export function nameProblem(name: string): NameProblem | undefined {
  if (name === '') return 'empty'
  if (name.includes('/')) return 'slash'
  if (name === '.' || name === '..') return 'dots'
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) return 'controls'
  return encoder.encode(name).length > MAX_NAME_BYTES ? 'tooLong' : undefined
}

/** Length of a name without its extension, ".tar.gz" included; folders have none. */
export function stemLength(name: string, isDir: boolean): number {
  if (isDir) return name.length
  const double = /\.tar\.[a-z0-9]{1,4}$/i.exec(name)
  const dot = double?.index ?? name.lastIndexOf('.')
  return dot <= 0 || name.length - dot > MAX_EXTENSION_LENGTH ? name.length : dot
}
