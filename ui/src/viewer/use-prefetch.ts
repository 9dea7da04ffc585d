import { useEffect } from 'react'
import type { Resource } from '../../../src/domain/resource.ts'
import { childOf, type VirtualPath } from '../../../src/domain/virtual-path.ts'
import { useConfig } from '../api/config.tsx'
import { pictureSources } from './image/picture-sources.ts'
import { viewKindOf } from './model/view-kind.ts'
import { useFileUrls } from './use-file-urls.ts'

/** Lets the pictures on both sides come while one is looked at. */
export function usePrefetch(folder: VirtualPath, neighbours: readonly (Resource | null)[]): void {
  const urls = useFileUrls()
  const resizedFirst = useConfig().ResizePreview
  const wanted = neighbours.flatMap((entry) => {
    if (entry === null || viewKindOf(entry) !== 'image') return []
    return pictureSources(urls, childOf(folder, entry.name), entry, !resizedFirst).slice(0, 1)
  })
  const list = wanted.join('\n')
  useEffect(() => {
    const pictures = list.split('\n').flatMap((address) => (address === '' ? [] : [fetchPicture(address)]))
    return () => {
      // A picture that is still on its way when the next one is wanted would only delay it.
      for (const picture of pictures) if (!picture.complete) picture.src = ''
    }
  }, [list])
}

function fetchPicture(address: string): HTMLImageElement {
  const picture = new Image()
  picture.fetchPriority = 'low'
  picture.decoding = 'async'
  picture.src = address
  return picture
}
