import exifr from 'exifr/dist/lite.esm.mjs'

/** The EXIF and GPS data that the details panel shows. */
export interface PhotoFacts {
  /** Local time: EXIF has no time zone. */
  readonly taken?: Date | undefined
  readonly camera?: string | undefined
  readonly lens?: string | undefined
  /** Seconds. */
  readonly exposure?: number | undefined
  readonly aperture?: number | undefined
  readonly sensitivity?: number | undefined
  /** Millimetres. */
  readonly focalLength?: number | undefined
  readonly location?: { readonly latitude: number; readonly longitude: number } | undefined
}

/** Cameras write EXIF data at the start of the file. */
export const HEAD_BYTES = 256 * 1024

/** Reads EXIF data from the start of a picture; empty if there is none or it cannot be read. */
export async function photoFacts(head: ArrayBuffer): Promise<PhotoFacts> {
  try {
    return factsOf(((await exifr.parse(head, { gps: true })) ?? {}) as Record<string, unknown>)
  } catch (error) {
    // exifr throws errors of many kinds on broken metadata; the picture itself may be fine.
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
    location: latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
  }
}

/** Leaves out the maker when the model starts with its name: "Canon", "Canon EOS R5". */
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
