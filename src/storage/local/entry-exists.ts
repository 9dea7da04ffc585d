import { lstat } from './gated-calls.ts'
import { judgePlace, type Ground } from './ground.ts'
import { errorWord } from './os-error.ts'
import { at } from './pin.ts'
import { pinFolder } from './resolve.ts'

/** Without following a link at the end: one into nothing is there. */
export async function entryExists(ground: Ground, segments: readonly string[]): Promise<boolean> {
  const name = segments.at(-1)
  if (name === undefined) return true
  try {
    using folder = await pinFolder(ground, segments.slice(0, -1))
    judgePlace(ground, folder, name, await lstat(at(folder, name), { bigint: true }))
    return true
  } catch (error) {
    if (errorWord(error) === 'ENOENT' || errorWord(error) === 'ENOTDIR') return false
    throw error
  }
}
