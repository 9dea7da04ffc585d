import { statfs } from 'node:fs/promises'
import { fail } from '../../domain/errors.ts'
import { at, type Pin } from './pin.ts'

/** Bytes that stay free beside what is written: a full disk hurts everybody else. */
const RESERVE = 64 * 1024 * 1024

/** @throws NO_SPACE when the disk of this folder cannot take so many bytes */
export async function requireSpace(folder: Pin, length: number | undefined): Promise<void> {
  if (length !== undefined) requireEnough(await freeSpace(folder), length)
}

/** In bytes, for users who are not root. */
export async function freeSpace(folder: Pin): Promise<bigint> {
  const { bavail, bsize } = await statfs(at(folder), { bigint: true })
  return bavail * bsize
}

/** @throws NO_SPACE when `free` bytes are not enough for a file of so many */
export function requireEnough(free: bigint, length: number): void {
  if (free < BigInt(length + RESERVE)) fail('NO_SPACE', 'the disk has too little free space for this file')
}
