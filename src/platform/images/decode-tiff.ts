import utif, { type IFD } from 'utif2'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import { requireMeasures, type Pixels } from './pixels.ts'

/** Decodes the first picture of a TIFF file. @throws UNSUPPORTED, TOO_LARGE */
export function decodeTiff(bytes: Uint8Array): Pixels {
  try {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const [first] = utif.decode(file)
    if (first === undefined) fail('UNSUPPORTED', 'the TIFF file holds no picture')
    const width = numberOf(first, 't256')
    const height = numberOf(first, 't257')
    requireMeasures(width, height)
    utif.decodeImage(file, first)
    const data = utif.toRGBA8(first)
    if (data.length < width * height * 4) fail('UNSUPPORTED', 'the TIFF file breaks off')
    return { data, width, height, orientation: numberOf(first, 't274') }
  } catch (error) {
    if (isFilemgrError(error)) throw error
    // Whatever a decoder trips over in a file of somebody's making is the file's fault.
    return fail('UNSUPPORTED', 'the TIFF file cannot be decoded', {}, { cause: error })
  }
}

function numberOf(directory: IFD, tag: string): number {
  const values = directory[tag]
  const value = Array.isArray(values) ? Number(values[0]) : 0
  return Number.isInteger(value) ? value : 0
}
