import { useEffect, useState } from 'react'
import type { Measures } from '../model/zoom.ts'

export interface Picture {
  readonly address: string
  /** Of the picture at this address, which may be a smaller one than the file holds. */
  readonly measures: Measures
}

export type PictureState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'shown'; readonly picture: Picture; readonly refining: boolean }
  | { readonly kind: 'failed' }

/**
 * The first of the addresses that turns out to be a picture. When others are asked for, the picture before stays until
 * the new one is decoded, so that nothing flickers between the small and the large form of a picture.
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
      // A drawing may have no size of its own.
      const { naturalWidth: width, naturalHeight: height } = image
      return { address, measures: width > 0 && height > 0 ? { width, height } : { width: 300, height: 150 } }
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
    }
  }
  return null
}
