import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(js|css|svg|json|html)$/
/** Compressing smaller files saves nothing on the wire. */
const MIN_SIZE = 1024

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/**
 * Replaces each text asset of the build by `x.gz` and `x.br`: the server compresses nothing at run time, and almost every client
 * gets one of the two. Vendored scripts, such as the editor's hundreds of language modes, only become `x.gz`: brotli would be a
 * few percent smaller, for as much space again.
 */
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
        await compressFile(path, vendored.has(path))
      }
    },
  }
}

async function compressFile(path: string, isVendored: boolean): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < MIN_SIZE) return
  await writeFile(`${path}.gz`, await toGzip(bytes, { level: constants.Z_BEST_COMPRESSION }))
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  if (!isVendored) await writeFile(`${path}.br`, await toBrotli(bytes, { params }))
  await rm(path)
}
