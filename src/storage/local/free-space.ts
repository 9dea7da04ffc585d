import { fail } from '../../domain/errors.ts'
import { statfs } from './gated-calls.ts'
import { at, type Handle } from './handle.ts'

/** Bytes that stay free beside what is written: a full disk hurts everybody else. */
const RESERVE = 64 * 1024 * 1024

/** @throws NO_SPACE when the disk of this folder cannot take so many bytes */
export async function requireSpace(folder: Handle, length: number | undefined): Promise<void> {
  if (length === undefined) return
  const { bavail, bsize } = await statfs(at(folder), { bigint: true })
  if (bavail * bsize < BigInt(length + RESERVE)) fail('NO_SPACE', 'the disk has too little free space for this file')
}
