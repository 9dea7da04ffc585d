import type { VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import type { DropPlace } from './drop-place.ts'

/** A drag that rests on a folder for so many milliseconds opens it. */
const RESTS = 700

export interface Spring {
  /** What the drag is over now; null for nothing that would open. */
  over(place: DropPlace | null): void
}

/** Opens the folders that a drag rests on, so that it can go on into them. */
export function createSpring(open: (folder: VirtualPath) => void): Spring {
  let element: HTMLElement | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    over(place) {
      const next = place?.element ?? null
      if (next === element) return
      element = next
      clearTimeout(timer)
      if (place !== null && next !== null) timer = setTimeout(() => open(place.folder), RESTS)
    },
  }
}
