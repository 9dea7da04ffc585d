import { pickFiles } from '../pick-files.ts'
import { entriesOfFiles } from '../upload-entry.ts'
import type { UploadItem } from '../upload-item.ts'
import type { UploadQueue } from '../upload-queue.ts'
import { fileOfOrigin } from './file-of-origin.ts'
import { isSameFile, matchFiles } from './match-files.ts'

/**
 * Finds the files of missing uploads: at the places that were kept, if the user lets us, else by asking for them.
 *
 * @returns false when files were picked, but none of those
 */
export async function findMissing(queue: UploadQueue, missing: readonly UploadItem[]): Promise<boolean> {
  const left = await giveKept(queue, missing, true)
  if (left.length === 0) return true
  const [first] = left
  const oneFolder = left.every(({ group }) => group !== null && group.id === first?.group?.id)
  const picked = entriesOfFiles(await pickFiles(oneFolder ? 'folder' : 'files'))
  const matches = matchFiles(left, picked, undefined)
  for (const { id, file } of matches) queue.give(id, file, true)
  return matches.length > 0 || picked.length === 0
}

/**
 * @param mayAsk the user wants them to go on, and may be asked for leave
 * @returns those whose files are at no kept place, or cannot be read there
 */
export async function giveKept(
  queue: UploadQueue,
  missing: readonly UploadItem[],
  mayAsk: boolean,
): Promise<UploadItem[]> {
  const left: UploadItem[] = []
  for (const item of missing) {
    const file = item.origin && (await fileOfOrigin(item.origin, mayAsk))
    if (file && isSameFile(item, file)) queue.give(item.id, file, mayAsk)
    else left.push(item)
  }
  return left
}
