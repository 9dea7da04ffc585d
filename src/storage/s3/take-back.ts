import { STOPPING } from '../../platform/limits/job-queue.ts'
import type { Work } from '../storage.ts'
import type { BucketRoot } from './bucket-root.ts'
import type { Placed } from './copy-object.ts'
import { lockKeys } from './effects.ts'
import { mapParallel } from './in-parallel.ts'
import type { ListedObject } from './stored-object.ts'

/** Objects whose names are held at the same time. */
export const FEW_OBJECTS = 100

/** Removes copies of an operation that has failed, unless others have changed them. What they have replaced cannot come back. */
export async function takeBack(root: BucketRoot, placed: readonly Placed[]): Promise<void> {
  const copies = placed.filter(({ isNew }) => isNew).map(({ copy }) => copy)
  for (let start = 0; start < copies.length; start += FEW_OBJECTS) {
    const some = copies.slice(start, start + FEW_OBJECTS)
    using held = await lockKeys(root, ...some.map(({ key }) => key))
    await held.confirm()
    await root.bucket.removeUnchanged(some)
  }
}

/** The same for what could not be moved, while the names are held. Keeps copies whose originals are gone. */
export async function unmove(root: BucketRoot, placed: readonly Placed[]): Promise<void> {
  const copies = placed.filter(({ isNew }) => isNew)
  await mapParallel(copies, async ({ source, copy }) => {
    if ((await root.bucket.head(source.key)) !== undefined) await root.bucket.removeUnchanged([copy])
  })
}

/** True if another daemon may go on with an operation: it counts on the copies that are there. */
export function isLeft({ signal }: Pick<Work, 'signal'>): boolean {
  return signal?.reason === STOPPING
}

/** Removes a folder in which there is no file. */
export async function removeIfEmpty(root: BucketRoot, key: string): Promise<void> {
  const markers: string[] = []
  for await (const { objects } of root.bucket.pages(`${key}/`)) {
    if (!objects.every(isEmptyMarker)) return
    markers.push(...objects.map((object) => object.key))
  }
  await root.bucket.remove(markers)
}

/** True for an object that only makes a folder. */
export function isEmptyMarker({ key, size }: Pick<ListedObject, 'key' | 'size'>): boolean {
  return key.endsWith('/') && size === 0
}
