import type { Plugin } from 'vite'

/** From the weakest to the strongest; explained in ui/src/styles/base.css. */
const LAYERS = ['reset', 'primitives', 'shell', 'listing', 'overlays', 'pages', 'narrow']

/**
 * Starts every style sheet with the order of the cascade layers. Layers rank by their first appearance, and which sheet
 * a browser sees first depends on how the build has split them.
 */
export function declareLayers(): Plugin {
  return {
    name: 'filemgr:declare-layers',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // After vite has put the sheets together.
      order: 'post',
      handler(_options, bundle) {
        const sheets = Object.values(bundle).filter((file) => file.fileName.endsWith('.css'))
        if (sheets.length === 0) this.error('the build has no style sheet to start with the order of the layers')
        for (const sheet of sheets) {
          if (sheet.type === 'asset') sheet.source = `@layer ${LAYERS.join(',')};${String(sheet.source)}`
        }
      },
    },
  }
}
