import type { Resource } from '../../../src/domain/resource.ts'
import type { VirtualPath } from '../../../src/domain/virtual-path.ts'
import type { Playing } from './use-playing.ts'
import type { Slideshow } from './use-slideshow.ts'
import type { ViewerAction } from './viewer-action.ts'

/** What every way of showing a file is given. */
export interface ViewedFile {
  readonly file: Resource
  readonly path: VirtualPath
  /** All of its folder, in the order of the folder. */
  readonly entries: readonly Resource[]
  /** What can be done with the file, for those that cannot be shown. */
  readonly actions: readonly ViewerAction[]
  /** The file was found to be damaged, or not to be what its name says. */
  readonly damaged: boolean
  readonly slideshow: Slideshow
  readonly playing: Playing
  readonly onDamaged: () => void
  /** Goes to another file of the folder. */
  readonly onShow: (entry: Resource) => void
  /** To the one before or after it, where there is one. */
  readonly onStep: (step: -1 | 1) => void
  readonly onEdit?: (() => void) | undefined
  /** A place of the app that a document leads to. */
  readonly onFollow: (address: string) => void
}
