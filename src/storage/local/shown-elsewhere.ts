import { isBeneath } from '../../platform/served-root.ts'
import type { Mount } from './mounts.ts'

/**
 * Where mounts show a folder or something in it once more, by another path: the folders around it are not those on the way
 * there. Paths are one character per byte, with no link on the way.
 */
export function shownElsewhere(folder: string, mounts: readonly Mount[]): string[] {
  const around = mounts.findLast(({ place }) => place === nearestOf(folder, mounts))
  if (around === undefined) return []
  const onDevice = join(around.root, folder.slice(around.place === '/' ? 0 : around.place.length))
  return mounts.flatMap((mount) => {
    const { device, root, place } = mount
    if (device !== around.device) return []
    const isPart = isBeneath(onDevice, root)
    if (!isPart && !isBeneath(root, onDevice)) return []
    const shown = isPart ? place : join(place, onDevice.slice(root === '/' ? 0 : root.length))
    // What is mounted over it later hides it.
    const isHidden = mounts.findLast((other) => other.place === nearestOf(shown, mounts)) !== mount
    return isHidden || isBeneath(folder, shown) ? [] : [shown]
  })
}

/** The place of the mount that a path lies in. */
function nearestOf(path: string, mounts: readonly Mount[]): string | undefined {
  const around = mounts.filter(({ place }) => isBeneath(place, path))
  return around.toSorted((a, b) => b.place.length - a.place.length)[0]?.place
}

function join(root: string, rest: string): string {
  return (root === '/' ? rest : root + rest) || '/'
}
