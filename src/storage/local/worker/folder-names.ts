import { readdirSync } from 'node:fs'
import { compileRules } from '../../../domain/rule-check.ts'
import type { Rule } from '../../../domain/rule.ts'
import { below, type VirtualPath } from '../../../domain/virtual-path.ts'
import { compilePattern } from '../../../platform/pattern.ts'
import { isOwnName } from '../own-names.ts'

/**
 * Names are held as they are on the disk, one character per byte (latin1): nothing is lost of a name that is not UTF-8,
 * strings compare in byte order, and the usual ASCII name is its own text.
 */
export type NameBytes = string

export interface NameFilter {
  readonly rules: readonly Rule[]
  readonly hideDotfiles: boolean
  readonly foldCase?: boolean | undefined
}

/** Tells whether a name in a folder is shown. `folder` is the folder's path as the rules see it. */
export type IsShown = (folder: VirtualPath, name: NameBytes) => boolean

/** Whether an entry of a folder is shown: by the rules, by its dot, and none of our own names. */
export function createIsShown({ rules, hideDotfiles, foldCase }: NameFilter): IsShown {
  const isAllowed = compileRules(rules, compilePattern, foldCase)
  return (folder, name) => {
    if (name.startsWith('.') && (hideDotfiles || isOwnName(name))) return false
    return rules.length === 0 || isAllowed(below(folder, `/${textOf(name)}` as VirtualPath))
  }
}

/** All names in a folder that is held, one character for each byte. */
export function readNames(folder: { readonly fd: number }): NameBytes[] {
  return readdirSync(`/proc/self/fd/${folder.fd}`, { encoding: 'latin1' })
}

// eslint-disable-next-line no-control-regex -- the whole of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/

/** What people see of a name; bytes that are no text become U+FFFD. */
export function textOf(name: NameBytes): string {
  return ASCII.test(name) ? name : Buffer.from(name, 'latin1').toString()
}

/** The path of a name in a held folder, for system calls. */
export function pathOf(folder: { readonly fd: number }, name: NameBytes): string | Buffer {
  const path = `/proc/self/fd/${folder.fd}/${name}`
  return ASCII.test(name) ? path : Buffer.from(path, 'latin1')
}
