import { access, constants } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { advice, type Check, type Scene } from '../check.ts'

export const toolsCheck: Check = {
  name: 'tools',
  title: 'Optional helpers: sharp, ffmpeg',
  async run({ environment, options }: Scene) {
    const sharp = options.disableThumbnails || hasPackage('sharp') ? [] : [withoutSharp]
    return (await hasProgram('ffmpeg', environment['PATH'] ?? '')) ? sharp : [...sharp, withoutFfmpeg]
  },
}

const withoutSharp = advice(
  'sharp is not there: pictures have no thumbnails',
  'npm install again, with optional packages',
)
const withoutFfmpeg = advice('ffmpeg is not there: videos have no thumbnails', 'install ffmpeg if you want them')

function hasPackage(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}

async function hasProgram(name: string, path: string): Promise<boolean> {
  const tries = path.split(delimiter).map(async (folder) => await access(join(folder, name), constants.X_OK))
  return await Promise.any(tries).then(
    () => true,
    () => false,
  )
}
