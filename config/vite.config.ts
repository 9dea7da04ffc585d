import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { catalogues } from './build-ui/catalogues.ts'
import { declareLayers } from './build-ui/declare-layers.ts'
import { offlineWorker } from './build-ui/offline-worker.ts'
import { precompress } from './build-ui/precompress.ts'
import { stripStyleInjection } from './build-ui/strip-style-injection.ts'

/** The browsers of the last two years. They know `light-dark()`, nesting and `@layer`, so nothing is lowered. */
const BROWSERS = ['chrome131', 'edge131', 'firefox132', 'safari18.1', 'ios18.1']

/** What every page imports at once, in one file in place of one for each module that other parts share. */
const EVERY_PAGE = { name: 'page', tags: ['$initial' as const], test: /^(?!.*\/ui\/(index\.html|src\/main\.tsx)$)/ }

export default defineConfig({
  root: fileURLToPath(new URL('../ui', import.meta.url)),
  // The page is served under any base URL: scripts and styles find each other relatively, and the server puts its
  // own prefix before the "/static/" of index.html.
  base: './',
  experimental: {
    renderBuiltUrl: (filename, { hostType }) => (hostType === 'html' ? `/${filename}` : { relative: true }),
  },
  plugins: [react(), catalogues(), stripStyleInjection(), declareLayers(), offlineWorker(), precompress()],
  resolve: {
    alias: {
      typebox: fileURLToPath(new URL('../ui/src/lib/plain-schema.ts', import.meta.url)),
    },
  },
  worker: { format: 'es' },
  // Short, since scripts contain the names too.
  css: { modules: { generateScopedName: '[hash:base64:6]' } },
  build: {
    outDir: '../dist/ui',
    emptyOutDir: true,
    assetsDir: 'static',
    assetsInlineLimit: 0,
    manifest: true,
    // The licences of what the scripts are made of ask to be delivered with them.
    license: { fileName: 'licences.txt' },
    target: BROWSERS,
    cssTarget: BROWSERS,
    modulePreload: {
      polyfill: false,
      // Only what `main.tsx` fetches for the first screen: the lists for all other screens would weigh 5 kB on every page.
      resolveDependencies: (_file, files, { hostId, hostType }) =>
        hostType === 'html' || /\/index-[\w-]+\.js$/.test(hostId)
          ? files
          : files.filter((file) => file.endsWith('.css')),
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // Operations that a page does not call fall away: to declare one does nothing else.
      treeshake: { manualPureFunctions: ['Type', 'operation'] },
      output: { codeSplitting: { groups: [EVERY_PAGE] } },
    },
  },
})
