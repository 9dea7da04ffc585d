import { orientationOf, TAG, tiffReader } from './tiff-directory.ts'
import type { ImageHead } from './types.ts'

/** The first picture of a TIFF file, if its directory lies in these bytes. */
export function tiffHead(bytes: Uint8Array): ImageHead | undefined {
  const reader = tiffReader(bytes)
  const directory = reader?.directory(reader.first)
  const width = directory?.values.get(TAG.width)?.[0]
  const height = directory?.values.get(TAG.height)?.[0]
  if (width === undefined || height === undefined) return undefined
  const orientation = orientationOf(directory)
  return { width, height, ...(orientation !== undefined && { orientation }) }
}
