import { type BigIntStats, constants } from 'node:fs'
import { bytesOfText, textOfBytes } from '../../../domain/files/name-text.ts'
import { closeHeld, pathOfDescriptor, reportsBirthTimes } from './direct-calls.ts'
import { forgetDevice, fstat, open } from './gated-calls.ts'
import type { EntryIdentity } from '../../../domain/files/entry-identity.ts'

/** O_PATH: opens an entry without touching it, so no FIFO blocks and no device starts. Not in `fs.constants`. Linux only. */
const O_PATH = 0x200000

export const HOLD_ENTRY = O_PATH | constants.O_NOFOLLOW
export const HOLD_FOLDER = O_PATH | constants.O_DIRECTORY
/** Not the target of a link. */
export const HOLD_FOLDER_ITSELF = HOLD_FOLDER | constants.O_NOFOLLOW
export const HOLD_TARGET = O_PATH
/** Of our own folders, which this process may read: a sync needs no other descriptor. */
export const READ_FOLDER_ITSELF = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** Most names: they are the same in every form. */
const ASCII = /^[ -~]*$/

/** One name in a folder, as text or as bytes. */
export type Name = string | Buffer

export function bytesOf(name: Name): Buffer {
  return typeof name === 'string' ? Buffer.from(bytesOfText(name)) : name
}

export function textOf(name: Name): string {
  return typeof name === 'string' ? name : textOfBytes(name)
}

/** Names and paths with one character per byte, as the kernel's paths are kept here. */
export function latin1Of(text: string): string {
  if (ASCII.test(text)) return text
  return bytesOf(text).toString('latin1')
}

/** The reverse of `latin1Of`. */
export function textOfLatin1(bytes: string): string {
  return textOfBytes(Buffer.from(bytes, 'latin1'))
}

/** An entry that is open, by an O_PATH descriptor unless it is a folder of ours: later, its name may be renamed or swapped without any effect on it. */
export class Handle implements Disposable {
  readonly fd: number
  #holders = 1
  #readable: number | undefined
  #identity: Pick<BigIntStats, 'dev' | 'ino'> | undefined

  constructor(fd: number, isReadable = false) {
    this.fd = fd
    if (isReadable) this.#readable = fd
  }

  /**
   * The current path, as the kernel reports it. One character per byte, because different invalid UTF-8 names can decode to the
   * same text.
   */
  get realPath(): string {
    return pathOfDescriptor(this.fd)
  }

  /** Cached: a descriptor always refers to the same file. */
  async identity(): Promise<Pick<BigIntStats, 'dev' | 'ino'>> {
    if (this.#identity === undefined) {
      const { dev, ino } = await fstat(this.fd)
      this.#identity = { dev, ino }
    }
    return this.#identity
  }

  /** Another descriptor of a folder, which a sync needs; open as long as the handle. @throws EACCES */
  async readable(): Promise<number> {
    const opened = this.#readable ?? (await reopen(this, constants.O_RDONLY | constants.O_DIRECTORY))
    // Two callers may have opened it at the same time.
    if (this.#readable !== undefined && this.#readable !== opened) closeHeld(opened)
    return (this.#readable ??= opened)
  }

  /** Adds a holder. The descriptor is closed when the last holder disposes it. */
  retain(): this {
    this.#holders += 1
    return this
  }

  // Synchronous, which `using` needs: closing a descriptor through which nothing was written touches no disk.
  [Symbol.dispose](): void {
    this.#holders -= 1
    if (this.#holders > 0) return
    closeHeld(this.fd)
    if (this.#readable !== undefined && this.#readable !== this.fd) closeHeld(this.#readable)
  }
}

/**
 * The path of an open entry, or of a name in an open folder. Replaces openat(), which Node lacks. As a last line of defence,
 * throws for a name such as ".." or "a/b", which would lead out of the folder.
 */
export function at(handle: { readonly fd: number }, name?: Name): string | Buffer {
  const held = `/proc/self/fd/${handle.fd}`
  if (name === undefined) return held
  requirePlain(name)
  return pathWith(`${held}/`, name)
}

/** The path by which another process reaches an open folder. */
export function localRootOf(handle: Handle): { held: string; path: string } {
  return { held: `/proc/${process.pid}/fd/${handle.fd}`, path: textOfLatin1(handle.realPath) }
}

/** The path of an entry inside an open folder. */
export function beneath(handle: Handle, segments: readonly string[]): string | Buffer {
  segments.forEach(requirePlain)
  return pathWith(`/proc/self/fd/${handle.fd}${segments.length > 0 ? '/' : ''}`, segments.join('/'))
}

/** Node would write a lone surrogate as U+FFFD, so a name with escaped bytes is given as bytes. */
function pathWith(start: string, rest: Name): string | Buffer {
  if (typeof rest === 'string' && rest.isWellFormed()) return start + rest
  return Buffer.concat([Buffer.from(start), bytesOf(rest)])
}

/** Opens a handle. @param flags one of the HOLD_ constants, or READ_FOLDER_ITSELF */
export async function hold(path: string | Buffer, flags: number): Promise<Handle> {
  const fd = await open(path, flags)
  // A link may have led to another disk, which may not answer.
  if ((flags & constants.O_NOFOLLOW) === 0) forgetDevice(fd)
  return new Handle(fd, (flags & O_PATH) === 0)
}

/** Opens a handle's own inode for reading or writing, even if its name now leads to another one. @param flags of open(2) */
export async function reopen(handle: { readonly fd: number }, flags: number): Promise<number> {
  return await open(at(handle), flags)
}

function requirePlain(name: Name): void {
  const text = typeof name === 'string' ? name : name.toString('latin1')
  if (text === '' || text === '.' || text === '..' || text.includes('/') || text.includes('\0'))
    throw new TypeError('not a plain name')
}

/** A name in an open folder, whether or not it exists. */
export interface Location {
  readonly folder: Handle
  readonly name: Name
}

/** Includes the birth time because inode numbers are reused as soon as a file is deleted. */
export function identityOf({ dev, ino, birthtimeNs }: BigIntStats): EntryIdentity {
  const birth = birthtimeNs > 0n && reportsBirthTimes() ? String(birthtimeNs) : ''
  return { device: String(dev), inode: String(ino), birth }
}
