import type { Resource } from '../../../../src/domain/files/resource.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { LazyBoundary, lazyComponent } from '../../kit/lazy-component.tsx'
import type { ReadMeSource } from './read-me.tsx'

const ReadMe = lazyComponent(async () => (await import('./read-me.tsx')).ReadMe)

interface FolderReadMeProps extends ReadMeSource {
  readonly folder: VirtualPath
  readonly entries: readonly Resource[]
}

/** Bytes of the largest README that is shown. */
const MAX_SIZE = 256 * 1024

/** The README of a folder, if it has one. */
export function FolderReadMe({ folder, entries, ...source }: FolderReadMeProps) {
  const file = entries.find(
    ({ name, isDir, size }) => !isDir && size > 0 && size <= MAX_SIZE && /^readme\.(md|markdown)$/i.test(name),
  )
  return (
    file && (
      <LazyBoundary key={file.modified}>
        <ReadMe folder={folder} file={file} {...source} />
      </LazyBoundary>
    )
  )
}
