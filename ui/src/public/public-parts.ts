import type { ComponentType, RefObject } from 'react'
import type { Listing, Resource } from '../../../src/domain/resource.ts'
import type { Sorting } from '../../../src/domain/sorting.ts'
import type { VirtualPath } from '../../../src/domain/virtual-path.ts'
import type { FolderChoices, LeftFolder } from './folder-state.ts'
import type { ShareUrls } from './share-urls.ts'

/** One file on the whole screen. */
export interface FileViewerProps {
  readonly share: OpenShare
  readonly file: Resource
  readonly path: VirtualPath
  /** All of its folder, in whatever order. */
  readonly entries: readonly Resource[]
  readonly sorting: Sorting
  readonly onShow: (entry: Resource) => void
  readonly onClose: () => void
  readonly onCopyLink: () => void
}

/** One folder, as the visitor has arranged it. */
export interface FolderProps {
  readonly share: OpenShare
  readonly folder: VirtualPath
  readonly listing: Listing
  readonly choices: FolderChoices
  readonly onChoose: (choices: FolderChoices) => void
  readonly scroll: RefObject<HTMLElement | null>
  /** How folders were left before. */
  readonly memory: Map<string, LeftFolder>
  /** The entry that the visitor has come back from. */
  readonly start: string | null
}

/** What is made with other features, each fetched when it is first shown; the app brings them together. */
export interface PublicParts {
  readonly Folder: ComponentType<FolderProps>
  readonly FileViewer: ComponentType<FileViewerProps>
}

/** A link that has been opened. */
export interface OpenShare {
  readonly hash: string
  readonly token: string | undefined
  readonly urls: ShareUrls
  /** How its root is called. */
  readonly name: string
  /** The place of the app that shows a path. */
  placeOf(path: string): string
  /** That place as an address which can be sent to others: without what opens it. */
  linkTo(path: string): string
}
