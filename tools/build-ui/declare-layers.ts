import type { Plugin } from 'vite'

/** From lowest to highest precedence; explained in ui/src/styles/base.css. */
const LAYERS = ['reset', 'primitives', 'shell', 'listing', 'overlays', 'pages', 'narrow']

/**
 * Declares the order of the cascade layers at the start of every style sheet. Layers rank by first appearance, and which
 * sheet a browser loads first depends on how the build splits them.
 */
export function declareLayers(): Plugin {
  return {
    name: 'filemgr:declare-layers',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // After vite has emitted the style sheets.
      order: 'post',
      handler(_options, bundle) {
        const sheets = Object.values(bundle).filter((file) => file.fileName.endsWith('.css'))
        if (sheets.length === 0) this.error('the build has no style sheet to declare the layers in')
        for (const sheet of sheets) {
          if (sheet.type === 'asset') sheet.source = `@layer ${LAYERS.join(',')};${String(sheet.source)}`
        }
      },
    },
  }
}
