import { useEffect, useState } from 'react'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import { childOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useConfig } from '../../api/page-config.tsx'
import type { FileUrls } from '../../files/actions/download.ts'
import { useFileUrls } from '../file/file-source.ts'
import { isVectorImage, mayLackDecoder, needsServerPicture, viewKindOf } from '../file/view-kind.ts'
import type { Dimensions } from './zoom.ts'

/** Up to this size the original loads as fast as a resized picture. */
const SMALL_FILE = 512 * 1024

/** The addresses to try for a picture, the best first. @param original whether to show the full size */
export function pictureSources(urls: FileUrls, path: VirtualPath, file: Resource, original: boolean): string[] {
  const [picture, raw] = [urls.picture(path, file.modified), urls.raw(path)]
  if (mayLackDecoder(file.name)) return [picture, raw]
  if (needsServerPicture(file.name)) return [picture]
  // The server shows what there is of a damaged file, which browsers refuse.
  if (original || !canBeResized(file)) return isVectorImage(file.name) ? [raw] : [raw, picture]
  return [picture, raw]
}

/** False for animations, vector drawings and small files. */
export function canBeResized(file: Resource): boolean {
  return !isVectorImage(file.name) && !/\.(gif|apng|ico)$/i.test(file.name) && file.size > SMALL_FILE
}

export interface Picture {
  readonly address: string
  /** Size of the picture at this address, which may be a resized one. */
  readonly dimensions: Dimensions
}

type PictureState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'shown'; readonly picture: Picture; readonly refining: boolean }
  | { readonly kind: 'failed' }

/**
 * Loads the first of the addresses that can be decoded as a picture. The previous picture stays until then, so nothing
 * flickers between the resized picture and the original.
 */
export function usePicture(addresses: readonly string[]): PictureState {
  const list = addresses.join('\n')
  const [shown, setShown] = useState<{ list: string; picture: Picture | null } | null>(null)
  useEffect(() => {
    let current = true
    void firstPicture(list.split('\n')).then((picture) => {
      if (current) setShown((before) => ({ list, picture: picture ?? before?.picture ?? null }))
    })
    return () => {
      current = false
    }
  }, [list])
  if (shown === null) return { kind: 'loading' }
  if (shown.picture === null) return { kind: 'failed' }
  return { kind: 'shown', picture: shown.picture, refining: shown.list !== list }
}

async function firstPicture(addresses: readonly string[]): Promise<Picture | null> {
  for (const address of addresses) {
    const image = new Image()
    image.src = address
    try {
      await image.decode()
      // A vector drawing may have no size of its own.
      const { naturalWidth: width, naturalHeight: height } = image
      return { address, dimensions: width > 0 && height > 0 ? { width, height } : { width: 300, height: 150 } }
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
    }
  }
  return null
}

/** Loads the previous and the next picture while one is shown. */
export function usePrefetch(folder: VirtualPath, neighbours: readonly (Resource | null)[]): void {
  const urls = useFileUrls()
  const resizedFirst = useConfig().ResizePreview
  const addresses = neighbours.flatMap((entry) => {
    if (entry === null || viewKindOf(entry) !== 'image') return []
    return pictureSources(urls, childOf(folder, entry.name), entry, !resizedFirst).slice(0, 1)
  })
  const list = addresses.join('\n')
  useEffect(() => {
    const pictures = list.split('\n').flatMap((address) => (address === '' ? [] : [preload(address)]))
    return () => {
      // A download that still runs would delay the picture that is shown next.
      for (const picture of pictures) if (!picture.complete) picture.src = ''
    }
  }, [list])
}

function preload(address: string): HTMLImageElement {
  const picture = new Image()
  picture.fetchPriority = 'low'
  picture.decoding = 'async'
  picture.src = address
  return picture
}
