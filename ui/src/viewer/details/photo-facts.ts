import exifr from 'exifr/dist/lite.esm.mjs'

/** What a camera has written into a picture, as far as people ask for it. */
export interface PhotoFacts {
  /** Local to where it was taken: cameras know no time zone. */
  readonly taken?: Date | undefined
  readonly camera?: string | undefined
  readonly lens?: string | undefined
  /** Seconds. */
  readonly exposure?: number | undefined
  readonly aperture?: number | undefined
  readonly sensitivity?: number | undefined
  /** Millimetres. */
  readonly focalLength?: number | undefined
  readonly place?: { readonly latitude: number; readonly longitude: number } | undefined
}

/** Cameras put their facts at the start of the file. */
export const HEAD_BYTES = 256 * 1024

/** Reads the facts from the start of a picture; none when there are none, or they cannot be read. */
export async function photoFacts(head: ArrayBuffer): Promise<PhotoFacts> {
  try {
    return factsOf(((await exifr.parse(head, { gps: true })) ?? {}) as Record<string, unknown>)
  } catch (error) {
    // Whatever a broken picture makes the reader stumble over: the picture itself may be fine.
    if (error instanceof Error) return {}
    throw error
  }
}

function factsOf(tags: Readonly<Record<string, unknown>>): PhotoFacts {
  const date = tags['DateTimeOriginal'] ?? tags['CreateDate']
  const latitude = numberOf(tags['latitude'])
  const longitude = numberOf(tags['longitude'])
  return {
    taken: date instanceof Date && !Number.isNaN(date.getTime()) ? date : undefined,
    camera: cameraOf(textOf(tags['Make']), textOf(tags['Model'])),
    lens: textOf(tags['LensModel']),
    exposure: numberOf(tags['ExposureTime']),
    aperture: numberOf(tags['FNumber']),
    sensitivity: numberOf(tags['ISO']),
    focalLength: numberOf(tags['FocalLength']),
    place: latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
  }
}

/** Many makers repeat their name in that of the model. */
function cameraOf(make: string | undefined, model: string | undefined): string | undefined {
  if (make === undefined || model === undefined) return model ?? make
  const [first = ''] = make.split(' ')
  return model.toLowerCase().startsWith(first.toLowerCase()) ? model : `${make} ${model}`
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.replaceAll('\0', '').trim() : ''
  return text === '' ? undefined : text
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
