import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'
import { bundleScript } from './bundle-script.ts'

const ENTRY = 'src/early.ts'

/** Puts a small script before everything else in the page, which runs before anything is drawn. */
export function earlyScript(): Plugin {
  let source = ''
  let fileName = ''
  return {
    name: 'filemgr:early-script',
    apply: 'build',
    async buildStart() {
      source = await bundleScript(ENTRY)
      fileName = `static/early-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`
    },
    transformIndexHtml: {
      // After vite has looked for the scripts that it builds itself.
      order: 'post',
      handler: () => [{ tag: 'script', attrs: { src: `/${fileName}` }, injectTo: 'head-prepend' }],
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source })
    },
  }
}
