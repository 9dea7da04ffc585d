import { copyFile, constants } from 'node:fs/promises'
import { basename } from 'node:path'
import { writeAtomic } from './atomic-file.ts'
import { createDataFolder } from './data-folder.ts'
import { diskFailure } from './disk-failure.ts'
import { unlessErrno } from './disk.ts'
import { takeFileLock } from './file-lock.ts'
import { keepCopy } from './good-copies.ts'

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
    await using lock = await takeFileLock(`${path}.lock`)
    const kept = `${path}.${ending}`
    const wasThere = await unlessErrno(
      copyFile(path, kept, constants.COPYFILE_EXCL).then(() => true),
      'ENOENT',
    )
    await writeAtomic(path, bytes, { confirm: async () => await lock.confirm() })
    await keepCopy(path, bytes, copies)
    return wasThere === true ? basename(kept) : ''
  } catch (error) {
    throw diskFailure(error, path, 'saved')
  }
}
