import { createRequire } from 'node:module'
import { findProgram } from '../../../platform/processes.ts'
import { advice, type Check, type Scene } from '../check.ts'

export const toolsCheck: Check = {
  name: 'tools',
  title: 'Optional helpers: sharp, ffmpeg, heif-dec',
  async run({ programs, options }: Scene) {
    const sharp = options.disableThumbnails || hasPackage('sharp') ? [] : [withoutSharp]
    const isThere = async (name: string) => (await findProgram(name, programs)) !== undefined
    const video = (await isThere('ffmpeg')) ? [] : [withoutFfmpeg]
    const heic = (await isThere('heif-dec')) || (await isThere('heif-convert')) ? [] : [withoutHeif]
    return [...sharp, ...video, ...heic]
  },
}

const withoutSharp = advice(
  'sharp is not there: pictures have no thumbnails',
  'npm install again, with optional packages',
)
const withoutFfmpeg = advice(
  'ffmpeg is not there: videos have no thumbnails',
  'install ffmpeg in /usr/bin or /usr/local/bin if you want them',
)
const withoutHeif = advice(
  'neither heif-dec nor heif-convert is there: HEIC pictures have no thumbnails',
  'install the tools of libheif (libheif-examples) in /usr/bin or /usr/local/bin if you want them',
)

function hasPackage(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}
