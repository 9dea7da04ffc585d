import type { Resource } from '../../../../src/domain/files/resource.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import type { IconName } from '../../kit/icon/icon.tsx'
import type { Slideshow } from '../image/use-slideshow.ts'

/** The props of every component that shows a file. */
export interface ViewedFile {
  readonly file: Resource
  readonly path: VirtualPath
  /** All entries of the folder, in the order of its list. */
  readonly entries: readonly Resource[]
  /** The actions on the file, offered where it cannot be shown. */
  readonly actions: readonly ViewerAction[]
  /** The file cannot be decoded as its extension says. */
  readonly damaged: boolean
  readonly slideshow: Slideshow
  readonly autoplay: Autoplay
  readonly onDamaged: () => void
  /** Shows another file of the folder. */
  readonly onShow: (entry: Resource) => void
  /** Shows the previous or next file, if there is one. */
  readonly onStep: (step: -1 | 1) => void
  readonly onEdit?: (() => void) | undefined
  /** Follows a link of a document to another page of the app. */
  readonly onFollow: (address: string) => void
}

/** An action on the file shown. Actions that are not possible are not in the list. */
export interface ViewerAction {
  readonly id: string
  readonly label: string
  readonly icon: IconName
  /** In the format of `aria-keyshortcuts`. */
  readonly keys?: string | undefined
  readonly danger?: boolean | undefined
  run(): void
}

/** Once the user has started a video or song, the next one starts by itself. */
export interface Autoplay {
  readonly on: boolean
  set(on: boolean): void
}
