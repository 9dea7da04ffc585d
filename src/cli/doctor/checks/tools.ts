import { createRequire } from 'node:module'
import { findProgram } from '../../../platform/find-program.ts'
import { advice, type Check, type Scene } from '../check.ts'

export const toolsCheck: Check = {
  name: 'tools',
  title: 'Optional helpers: sharp, ffmpeg',
  async run({ programs, options }: Scene) {
    const sharp = options.disableThumbnails || hasPackage('sharp') ? [] : [withoutSharp]
    return (await findProgram('ffmpeg', programs)) === undefined ? [...sharp, withoutFfmpeg] : sharp
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

function hasPackage(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}
