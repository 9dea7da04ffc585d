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
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue
        file.source = `@layer ${LAYERS.join(',')};${String(file.source)}`
      }
    },
  }
}
