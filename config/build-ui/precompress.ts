import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(js|css|svg|json|html)$/
/** Below this a compressed answer is no smaller on the wire. */
const SMALLEST = 1024

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Writes `x.br` and `x.gz` beside every asset of the build, so that the server only has to pick one. */
export function precompress(): Plugin {
  let folder = ''
  return {
    name: 'filemgr:precompress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir, config.build.assetsDir)
    },
    async closeBundle(error) {
      if (error !== undefined) return
      const files = await readdir(folder, { recursive: true })
      for (const file of files.filter((name) => COMPRESSIBLE.test(name))) await compressFile(join(folder, file))
    },
  }
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < SMALLEST) return
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  const [brotli, gzipped] = await Promise.all([toBrotli(bytes, quality), toGzip(bytes, { level: 9 })])
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)])
}
