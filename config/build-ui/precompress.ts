import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(js|css|svg|json|html)$/
/** Compressing smaller files saves nothing on the wire. */
const MIN_SIZE = 1024

/** For files that every visit fetches. */
const BEST = constants.BROTLI_MAX_QUALITY
/** A few percent larger in a tenth of the time: for vendored scripts, such as the editor's hundreds of language modes. */
const QUICK = 9

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Writes `x.br` and `x.gz` beside every asset of the build, so that the server compresses nothing at run time. */
export function precompress(): Plugin {
  let folder = ''
  const vendored = new Set<string>()
  return {
    name: 'filemgr:precompress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir, config.build.assetsDir)
    },
    generateBundle({ dir = '' }, bundle) {
      for (const { type, fileName } of Object.values(bundle)) {
        if (type === 'asset' && fileName.endsWith('.js')) vendored.add(resolve(dir, fileName))
      }
    },
    async closeBundle(error) {
      if (error !== undefined) return
      const files = await readdir(folder, { recursive: true })
      for (const file of files.filter((name) => COMPRESSIBLE.test(name))) {
        const path = join(folder, file)
        await compressFile(path, vendored.has(path) ? QUICK : BEST)
      }
    },
  }
}

async function compressFile(path: string, quality: number): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < MIN_SIZE) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  const [brotli, gzipped] = await Promise.all([toBrotli(bytes, { params }), toGzip(bytes, { level: 9 })])
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)])
}
