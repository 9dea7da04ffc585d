import { useCallback } from 'react'
import type { Resource } from '../../../../src/domain/resource.ts'
import { useUser } from '../../api/session-context.tsx'

const LARGEST_DRAWN_AS_IT_IS = 1024 * 1024
const DRAWN_BY_BROWSERS = /\.(png|jpe?g|jfif|gif|webp|avif|svg|bmp|ico)$/i

/** The address of a picture that is small enough to be drawn in the listing as it is; null for all others. */
export function usePictureOf(rawOf: (entry: Resource) => string): (entry: Resource) => string | null {
  const mayDownload = useUser()?.perm.download ?? false
  return useCallback(
    (entry) => {
      const fits = entry.type === 'image' && entry.size <= LARGEST_DRAWN_AS_IT_IS && DRAWN_BY_BROWSERS.test(entry.name)
      return mayDownload && fits ? rawOf(entry) : null
    },
    [rawOf, mayDownload],
  )
}
