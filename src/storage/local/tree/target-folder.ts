import { fail } from '../../../domain/errors.ts'
import { isBeneath, type Ground } from '../ground.ts'
import { pinMadeFolder } from '../make-folder.ts'
import { errorWord } from '../os-error.ts'
import type { Pin } from '../pin.ts'
import { pinFolder } from '../resolve.ts'

/**
 * The folder that shall hold a target, made with its missing parents.
 *
 * @param source a folder that is to be copied or moved there: not into itself, on whatever way
 */
export async function pinTargetFolder(
  ground: Ground,
  segments: readonly string[],
  mode: number,
  source: Pin | undefined,
): Promise<Pin> {
  if (source !== undefined) {
    using nearest = await nearestFolder(ground, segments)
    requireOutside(source, nearest)
  }
  return await pinMadeFolder(ground, segments, mode)
}

/** By where they really are: links may lead from the one into the other. @throws INVALID_INPUT */
export function requireOutside(source: Pin, folder: Pin): void {
  if (isBeneath(source.realPath, folder.realPath)) fail('INVALID_INPUT', 'source is parent')
}

async function nearestFolder(ground: Ground, segments: readonly string[]): Promise<Pin> {
  for (let count = segments.length; count > 0; count -= 1) {
    try {
      return await pinFolder(ground, segments.slice(0, count))
    } catch (error) {
      if (errorWord(error) !== 'ENOENT') throw error
    }
  }
  return ground.root.retain()
}
