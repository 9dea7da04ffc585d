import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { catalogues } from '../tools/build-ui/catalogues.ts'
import { declareLayers } from '../tools/build-ui/declare-layers.ts'
import { bareOperations } from '../tools/build-ui/bare-operations.ts'
import { offlineWorker } from '../tools/build-ui/offline-worker.ts'
import { precompress } from '../tools/build-ui/precompress.ts'
import { screenChunks } from '../tools/build-ui/screen-chunks.ts'
import { stripStyleInjection } from '../tools/build-ui/strip-style-injection.ts'

/** Browsers of the last two years. They support `light-dark()`, nesting and `@layer`, so CSS is not transpiled. */
const BROWSERS = ['chrome131', 'edge131', 'firefox132', 'safari18.1', 'ios18.1']

/** One chunk for everything that every page loads first, instead of one for each shared module. */
const EVERY_PAGE = { name: 'page', tags: ['$initial' as const], test: /^(?!.*\/ui\/(index\.html|src\/main\.tsx)$)/ }

/** What the page shares with the server: nothing happens when these modules are loaded. */
const DECLARATIONS = /^(?!.*\/ui\/src\/).*\/src\/(domain|api)\//

export default defineConfig({
  root: fileURLToPath(new URL('../ui', import.meta.url)),
  // The page works under any base URL: scripts and styles use relative URLs, and the server adds its prefix to the
  // "/static/" of index.html.
  base: './',
  experimental: {
    renderBuiltUrl: (filename, { hostType }) => (hostType === 'html' ? `/${filename}` : { relative: true }),
  },
  plugins: [
    react(),
    catalogues(),
    bareOperations(),
    stripStyleInjection(),
    declareLayers(),
    offlineWorker(),
    precompress(),
  ],
  resolve: {
    // The schemas of src/domain and src/api import typebox: in the page this much smaller module takes its place.
    // So does this one, which stops zip bombs, that of jszip, with which docx-preview reads documents.
    alias: {
      typebox: fileURLToPath(new URL('../ui/src/lib/typebox-substitute.ts', import.meta.url)),
      jszip: fileURLToPath(new URL('../ui/src/viewer/document/jszip-substitute.ts', import.meta.url)),
    },
  },
  worker: { format: 'es' },
  // Short, because scripts contain the names too.
  css: { modules: { generateScopedName: '[hash:base64:6]' } },
  build: {
    outDir: '../dist/ui',
    emptyOutDir: true,
    assetsDir: 'static',
    assetsInlineLimit: 0,
    manifest: true,
    // Bundled packages require that their licences are distributed with them.
    license: { fileName: 'licences.txt' },
    target: BROWSERS,
    cssTarget: BROWSERS,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // Compressing all files takes most of the time, as it should. A module that two screens load on demand may be a static
      // import of one of them: it gets its own chunk all the same.
      checks: { bundlerTimings: false, ineffectiveDynamicImport: false },
      // Bundles drop the declarations that they do not use, since making one has no side effects.
      treeshake: {
        manualPureFunctions: ['Type', 'operation'],
        propertyReadSideEffects: false,
        moduleSideEffects: [{ test: DECLARATIONS, sideEffects: false }],
      },
      output: { codeSplitting: { groups: [EVERY_PAGE, ...screenChunks()] } },
    },
  },
})
