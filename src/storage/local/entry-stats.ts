import { lstat as statsByName } from './gated-calls.ts'
import type { BigIntStats } from 'node:fs'
import { errorWord } from './os-error.ts'

/** Without following a link; undefined where nothing is. */
export async function statsOrNothing(path: string | Buffer): Promise<BigIntStats | undefined> {
  try {
    return await statsByName(path, { bigint: true })
  } catch (error) {
    if (errorWord(error) === 'ENOENT') return undefined
    throw error
  }
}
