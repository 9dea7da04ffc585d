import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { giveToFolderOwner } from '../../platform/files/folder-owner.ts'
import { systemRandom } from '../../platform/security/random.ts'
import { makeDurableFolder, syncFolder } from './atomic-file.ts'
import { diskFailure } from './disk.ts'

/** Writes a folder with these files, all or none. @throws NO_SPACE, STORE_INVALID */
export async function writeBranding(path: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const unfinished = `${path}.${systemRandom.token(6)}.tmp`
  try {
    await writeFiles(unfinished, files)
    await rename(unfinished, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw diskFailure(error, path, 'saved')
  }
}

async function writeFiles(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await makeDurableFolder(folder)
  for (const [name, bytes] of files) {
    const path = join(folder, name)
    await makeDurableFolder(dirname(path))
    await using file = await open(path, 'wx', 0o600)
    giveToFolderOwner(file.fd, path)
    await file.writeFile(bytes)
    await file.sync()
    await syncFolder(dirname(path))
  }
  await syncFolder(folder)
}
