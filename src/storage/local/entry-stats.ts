import { lstat, type BigIntStats } from 'node:fs'
import { promisify } from 'node:util'
import { errorWord } from './os-error.ts'

const statsByName = promisify(lstat)

/** Without following a link; undefined where nothing is. */
export async function statsOrNothing(path: string | Buffer): Promise<BigIntStats | undefined> {
  try {
    return await statsByName(path, { bigint: true })
  } catch (error) {
    if (errorWord(error) === 'ENOENT') return undefined
    throw error
  }
}
