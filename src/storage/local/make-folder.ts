import { fail } from '../../domain/errors.ts'
import { statsOrNothing } from './entry-stats.ts'
import { mkdir } from './gated-calls.ts'
import { inside, judgeNewFolders, type Ground } from './ground.ts'
import { errorWord } from './os-error.ts'
import { at, hold, HOLD_ENTRY, type Pin } from './pin.ts'
import { pinFolder, pinTarget, statsOf } from './resolve.ts'
import { syncFolder } from './staged-file.ts'

/** Holds a folder, made with its missing parents, one held folder after the other. */
export async function pinMadeFolder(ground: Ground, segments: readonly string[], mode: number): Promise<Pin> {
  try {
    return await pinFolder(ground, segments)
  } catch (error) {
    if (errorWord(error) !== 'ENOENT' && errorWord(error) !== 'ENOTDIR') throw error
  }
  let here = ground.root.retain()
  for (const [index, name] of segments.entries()) {
    using parent = here
    here = await enter(ground, parent, [name, ...segments.slice(index + 1)], mode)
  }
  return here
}

async function enter(ground: Ground, parent: Pin, way: readonly [string, ...string[]], mode: number): Promise<Pin> {
  const [name] = way
  if ((await statsOrNothing(at(parent, name))) === undefined) {
    judgeNewFolders(ground, parent, way)
    if (await isMade(parent, name, mode)) await syncFolder(parent)
  }
  using entry = await hold(at(parent, name), HOLD_ENTRY)
  const stats = await statsOf(entry)
  if (stats.isDirectory()) return inside(ground, entry.retain())
  if (!stats.isSymbolicLink()) fail('CONFLICT', 'a file is in the way of the folder')
  using target = await pinTarget(ground, parent, name)
  if (!(await statsOf(target)).isDirectory()) fail('CONFLICT', 'a file is in the way of the folder')
  return target.retain()
}

async function isMade(parent: Pin, name: string, mode: number): Promise<boolean> {
  try {
    await mkdir(at(parent, name), mode)
    return true
  } catch (error) {
    if (errorWord(error) === 'EEXIST') return false
    throw error
  }
}
