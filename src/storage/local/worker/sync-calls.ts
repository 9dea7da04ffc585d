import { fstatSync, lstatSync, openSync, readdirSync, readlinkSync } from 'node:fs'
import { below, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { destinationSteps, type DiskLook, type HeldLocation } from '../scope/destination.ts'
import { isOwnName } from '../scope/reserved-names.ts'
import type { ScopeRoot } from '../scope/scope-root.ts'
import { Handle } from '../system/handle.ts'
import { errnoCode } from '../system/os-error.ts'

/**
 * Names are held as they are on the disk, one character per byte (latin1): nothing is lost of a name that is not UTF-8,
 * strings compare in byte order, and the usual ASCII name is its own text.
 */
export type NameBytes = string

/** Tells whether a name in a folder is shown. `folder` is the folder's path as the rules see it, or its paths: all must allow. */
export type IsShown = (folder: readonly VirtualPath[], name: NameBytes) => boolean

/** Whether an entry of a folder is shown: by the rules, by its dot, and none of our own names. */
export function createIsShown({ permits }: ScopeRoot, hideDotfiles: boolean): IsShown {
  return (folder, name) => {
    if (name.startsWith('.') && (hideDotfiles || isOwnName(name))) return false
    return permits === undefined || innerPaths(folder, name).every(permits)
  }
}

/** The paths of an entry of a folder with these paths. */
export function innerPaths(folder: readonly VirtualPath[], name: NameBytes): VirtualPath[] {
  const inner = `/${textOf(name)}` as VirtualPath
  return folder.map((path) => below(path, inner))
}

/** All names in a folder that is held, one character for each byte. */
export function readNames(folder: { readonly fd: number }): NameBytes[] {
  return readdirSync(`/proc/self/fd/${folder.fd}`, { encoding: 'latin1' })
}

/** Without the protected ones. */
export function readOpenNames({ protectedPaths }: ScopeRoot, folder: { readonly fd: number }): NameBytes[] {
  const names = readNames(folder)
  if (protectedPaths.data.places.length === 0) return names
  const hidden = protectedPaths.namesIn(fstatSync(folder.fd, { bigint: true }))
  return hidden.size === 0 ? names : names.filter((name) => !hidden.has(name))
}

// eslint-disable-next-line no-control-regex -- the whole of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/

/** What people see of a name; bytes that are no text become U+FFFD. */
export function textOf(name: NameBytes): string {
  return ASCII.test(name) ? name : Buffer.from(name, 'latin1').toString()
}

/** Where "/proc/self/fd" leads: thousands of calls need not follow that link each. */
const OWN_DESCRIPTORS = `/proc/${readlinkSync('/proc/self')}/fd`

/** The path of a name in a held folder, for system calls. */
export function pathOf(folder: { readonly fd: number }, name: NameBytes): string | Buffer {
  const path = `${OWN_DESCRIPTORS}/${folder.fd}/${name}`
  return ASCII.test(name) ? path : Buffer.from(path, 'latin1')
}

/** Holds what lies at a path. @param flags of open(2) */
export function holdSync(path: string | Buffer, flags: number): Handle {
  return new Handle(openSync(path, flags))
}

const LOOK: DiskLook = {
  stats: (path) => lstatSync(path, { bigint: true, throwIfNoEntry: false }),
  linkText: (path) => readlinkSync(path, { encoding: 'buffer' }),
  hold: holdSync,
}

/** @throws as `destinationSteps` */
export function destinationSync(scopeRoot: ScopeRoot, folder: Handle, name: Buffer): HeldLocation {
  const steps = destinationSteps(LOOK, scopeRoot, folder, name)
  for (let next = steps.next(); ; next = steps.next(next.value)) if (next.done === true) return next.value
}

/** Undefined for a folder that is gone, swapped, or not for us to read: it is listed, its content is not. */
export function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(errnoCode(error) ?? '')) return undefined
    throw error
  }
}
