import * as fs from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { promisify } from 'node:util'
import { type CallKind, DeviceGates } from './device-gates.ts'
import { closeHeld, statsOfKept } from './direct-calls.ts'
import { Mounts } from './mounts.ts'

/** The default size of libuv's thread pool. */
const USUAL_THREADS = 4

const mounts = new Mounts()
const gates = new DeviceGates(Number(process.env['UV_THREADPOOL_SIZE']) || USUAL_THREADS)

/** Whether a disk is mounted at a path without links. */
export function isMountPoint(path: string): boolean {
  return mounts.isMountPoint(Buffer.from(path).toString('latin1'))
}

/** The innermost mount point around a path without links; "/" if the disk of the system contains it. */
export function mountPointAround(path: string): string {
  return Buffer.from(mounts.mountPointAround(Buffer.from(path).toString('latin1')), 'latin1').toString()
}

/*
 * The calls of `node:fs` on users' files, each through the gate of its device, so that a stalled disk does not block the others.
 * Worker threads need no gate, because each device has its own.
 */

export const access = gated('short', promisify(fs.access))
export const chmod = gated('short', promisify(fs.chmod))
export const chown = gated('short', promisify(fs.chown))
export const lchown = gated('short', promisify(fs.lchown))
export const link = gated('short', promisify(fs.link))
export const lstat = gated('short', promisify(fs.lstat))
export const lutimes = gated('short', promisify(fs.lutimes))
export const mkdir = gated('short', promisify(fs.mkdir))
export const realpath = gated('short', promisify(fs.realpath))
export const stat = gated('short', promisify(fs.stat))
export const readdir = gated('short', promisify(fs.readdir))
export const readlink = gated('short', promisify(fs.readlink))
export const rename = gated('short', promisify(fs.rename))
export const rmdir = gated('short', promisify(fs.rmdir))
export const statfs = gated('short', promisify(fs.statfs))
export const symlink = gated('short', promisify(fs.symlink), 1)
export const unlink = gated('short', promisify(fs.unlink))
export const utimes = gated('short', promisify(fs.utimes))
/** Copies megabytes in one call, which takes as long as a sync on a slow disk. */
export const copyFile = gated('sync', promisify(fs.copyFile), 1)

export const fchmod = gated('short', promisify(fs.fchmod))
export const fchown = gated('short', promisify(fs.fchown))
export const futimes = gated('short', promisify(fs.futimes))
export const ftruncate = gated('content', promisify(fs.ftruncate))
export const read = gated('content', promisify(fs.read))
/** For a few kibibytes, which should not wait for large transfers. */
export const readFew = gated('short', promisify(fs.read))
export const write = gated('content', promisify(fs.write))
export const writev = gated('content', promisify(fs.writev))
export const fdatasync = gated('sync', promisify(fs.fdatasync))
export const fsync = gated('sync', promisify(fs.fsync))
export const close = gated('close', promisify(fs.close))

/** Loaded when a file is first replaced. Without a build for this machine, no attributes are listed. */
const attributes = {
  list: async (path: string) => await (await import('@napi-rs/xattr')).listAttributes(path),
  get: async (path: string, name: string) => await (await import('@napi-rs/xattr')).getAttribute(path, name),
  set: async (path: string, name: string, value: Buffer) =>
    await (await import('@napi-rs/xattr')).setAttribute(path, name, value),
  remove: async (path: string, name: string) => await (await import('@napi-rs/xattr')).removeAttribute(path, name),
}
export const listAttributes = gated('short', attributes.list)
export const getAttribute = gated('short', attributes.get)
export const setAttribute = gated('short', attributes.set)
export const removeAttribute = gated('short', attributes.remove)

const openGated = gated('short', promisify(fs.open))

export async function open(path: string | Buffer, flags: number, mode?: number): Promise<number> {
  const fd = await openGated(path, flags, mode)
  mounts.opened(fd, path)
  return fd
}

const fstatGated = gated('short', promisify(fs.fstat))

/** Of an open entry. */
export async function fstat(fd: number): Promise<BigIntStats> {
  return isOnLocalDisk(fd) ? statsOfKept(fd) : await fstatGated(fd, { bigint: true })
}

/** Closes a file that is synced. */
export async function closeSynced(fd: number): Promise<void> {
  if (isOnLocalDisk(fd)) closeHeld(fd)
  else await close(fd)
}

/** The device of a descriptor, as the kernel's "major:minor". */
export function deviceOf(fd: number): string {
  return mounts.deviceOf(fd)
}

/** @param path without links, one character per byte */
export function deviceOfPath(path: string): string {
  return mounts.deviceOf(path)
}

/**
 * Whether only this machine can change the entry, so that its kernel knows of every change, and keeps in memory what is open.
 *
 * @param target a descriptor, or a path as for `deviceOfPath`
 */
export function isOnLocalDisk(target: number | string): boolean {
  return mounts.isLocal(target)
}

/** Whether a rename in this folder costs little, and the file keeps its inode number. */
export function renamesInPlace(fd: number): boolean {
  return mounts.renamesInPlace(fd)
}

/** Call for a descriptor that may be on another device than the path by which it was opened. */
export function forgetDevice(fd: number): void {
  mounts.forget(fd)
}

/** @param pathIndex index of the argument that is the descriptor or path */
function gated<F extends (...input: never[]) => Promise<unknown>>(kind: CallKind, call: F, pathIndex = 0): F {
  const run = async (...input: readonly unknown[]) =>
    await gates.run(mounts.deviceOf(input[pathIndex] as number | string | Buffer), kind, () =>
      call(...(input as never[])),
    )
  return run as unknown as F
}
