import fs from 'node:fs/promises'

/** The calls that a durable write is made of. Passed in, so that tests can let the n-th of them fail. */
export type Disk = Pick<typeof fs, 'open' | 'rename' | 'unlink'>

export const nodeDisk: Disk = fs

/** True for an error of the operating system with one of these codes. */
export function isErrno(error: unknown, ...codes: string[]): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** Waits for a call on the disk; undefined when it failed with one of these codes. */
export async function unlessErrno<T>(call: Promise<T>, ...codes: string[]): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (isErrno(error, ...codes)) return undefined
    throw error
  }
}
