import { copyFile, constants, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { writeAtomic } from './atomic-file.ts'
import { createDataFolder } from './data-folder.ts'
import { diskFailure } from './disk-failure.ts'
import { unlessErrno } from './disk.ts'
import { keepCopy } from './good-copies.ts'
import { SESSIONS } from './session-records.ts'
import { takeDataLock } from './writer.ts'

export interface Replacement {
  /** store.json. */
  readonly path: string
  readonly bytes: Uint8Array
  /** Good copies that are kept. */
  readonly copies: number
  /** Ending of the name under which a present file is kept. */
  readonly ending: string
}

/**
 * Puts a document in the place of one that cannot be read any more, or of none. The file that is there is kept.
 *
 * @returns the name of the kept file; "" when there was none
 * @throws STORE_BUSY, STORE_INVALID, NO_SPACE
 */
export async function replaceStoreFile(folder: string, { path, bytes, copies, ending }: Replacement): Promise<string> {
  await createDataFolder(folder)
  try {
    using _lock = await takeDataLock(folder)
    const kept = `${path}.${ending}`
    const wasThere = await unlessErrno(
      copyFile(path, kept, constants.COPYFILE_EXCL).then(() => true),
      'ENOENT',
    )
    // First: whose sessions those are is not known of a store that cannot be read.
    await rm(join(folder, SESSIONS), { force: true, recursive: true })
    await writeAtomic(path, bytes)
    await keepCopy(path, bytes, copies)
    return wasThere === true ? basename(kept) : ''
  } catch (error) {
    throw diskFailure(error, path, 'saved')
  }
}
