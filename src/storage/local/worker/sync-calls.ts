import { fstatSync, lstatSync, openSync, readdirSync, readlinkSync } from 'node:fs'
import { below, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { destinationSteps, type DiskCalls, type HeldLocation } from '../scope/destination.ts'
import { isReservedName } from '../../reserved-names.ts'
import type { ScopeRoot } from '../scope/scope-root.ts'
import { Handle, textOfLatin1 } from '../system/handle.ts'
import { isErrno } from '../../../platform/files/error-code.ts'

/**
 * A name as on the disk, one character per byte (latin1), so that names that are not UTF-8 stay intact, strings compare in byte
 * order, and ASCII names need no conversion.
 */
export type NameBytes = string

/** Whether the user can see a name. `folder` has the paths of its folder as the rules see them; all must be allowed. */
export type IsShown = (folder: readonly VirtualPath[], name: NameBytes) => boolean

/** Hides entries that rules deny, reserved names and, if requested, dotfiles. */
export function createIsShown({ permits }: ScopeRoot, hideDotfiles: boolean): IsShown {
  return (folder, name) => {
    if (name.startsWith('.') && (hideDotfiles || isReservedName(name))) return false
    return permits === undefined || innerPaths(folder, name).every(permits)
  }
}

/** The paths of an entry, given those of its folder. */
export function innerPaths(folder: readonly VirtualPath[], name: NameBytes): VirtualPath[] {
  const inner = `/${textOf(name)}` as VirtualPath
  return folder.map((path) => below(path, inner))
}

/** All names in an open folder. */
export function readNames(folder: { readonly fd: number }): NameBytes[] {
  return readdirSync(`/proc/self/fd/${folder.fd}`, { encoding: 'latin1' })
}

/** All names in an open folder except the protected ones. */
export function readOpenNames({ protectedPaths }: ScopeRoot, folder: { readonly fd: number }): NameBytes[] {
  const names = readNames(folder)
  if (protectedPaths.data.paths.length === 0) return names
  const hidden = protectedPaths.namesIn(fstatSync(folder.fd, { bigint: true }))
  return hidden.size === 0 ? names : names.filter((name) => !hidden.has(name))
}

// eslint-disable-next-line no-control-regex -- the whole of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/

/** A name as text. */
export function textOf(name: NameBytes): string {
  return ASCII.test(name) ? name : textOfLatin1(name)
}

/** "/proc/self/fd" with its link resolved once, instead of in each of thousands of calls. */
const OWN_DESCRIPTORS = `/proc/${readlinkSync('/proc/self')}/fd`

/** The path of a name in an open folder, for system calls. */
export function pathOf(folder: { readonly fd: number }, name: NameBytes): string | Buffer {
  const path = `${OWN_DESCRIPTORS}/${folder.fd}/${name}`
  return ASCII.test(name) ? path : Buffer.from(path, 'latin1')
}

/** @param flags one of the HOLD_ constants */
export function holdSync(path: string | Buffer, flags: number): Handle {
  return new Handle(openSync(path, flags))
}

const SYNC_CALLS: DiskCalls = {
  stats: (path) => lstatSync(path, { bigint: true, throwIfNoEntry: false }),
  linkText: (path) => readlinkSync(path, { encoding: 'buffer' }),
  hold: holdSync,
}

/** @throws as `destinationSteps` */
export function destinationSync(scopeRoot: ScopeRoot, folder: Handle, name: Buffer): HeldLocation {
  const steps = destinationSteps(SYNC_CALLS, scopeRoot, folder, name)
  for (let next = steps.next(); ; next = steps.next(next.value)) if (next.done === true) return next.value
}

/** Undefined if the folder is missing, was swapped or cannot be read: it is listed without its content. */
export function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')) return undefined
    throw error
  }
}
