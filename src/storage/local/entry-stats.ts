import { lstat } from './gated-calls.ts'
import type { BigIntStats } from 'node:fs'
import { errnoCode } from './os-error.ts'

/** Without following a link; undefined where nothing is. */
export async function statsOrNothing(path: string | Buffer): Promise<BigIntStats | undefined> {
  try {
    return await lstat(path, { bigint: true })
  } catch (error) {
    if (errnoCode(error) === 'ENOENT') return undefined
    throw error
  }
}
