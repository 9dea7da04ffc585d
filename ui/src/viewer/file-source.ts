import { createContext, useContext } from 'react'
import type { Resource } from '../../../src/domain/resource.ts'
import type { VirtualPath } from '../../../src/domain/virtual-path.ts'
import type { FileUrls } from './use-file-urls.ts'

/** Where the files come from that are shown: without one they are those of the user. */
export interface FileSource {
  readonly urls: FileUrls
  /** How its root is called. */
  readonly rootName: string
  /** The file with what a listing leaves out: its text, and what more there is. @throws ApiError */
  describe(path: VirtualPath, file: Resource, signal: AbortSignal): Promise<Resource>
  /** The place of the app that shows a path. */
  placeOf(path: string): string
}

const FileSourceContext = createContext<FileSource | undefined>(undefined)

export const FileSourceProvider = FileSourceContext.Provider

export function useFileSource(): FileSource | undefined {
  return useContext(FileSourceContext)
}
