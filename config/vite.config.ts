import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { coreChunk, firstViewChunk, idleChunk, listChunk, visitorChunk } from './build-ui/first-view-chunk.ts'
import { catalogues } from './build-ui/catalogues.ts'
import { declareLayers } from './build-ui/declare-layers.ts'
import { earlyScript } from './build-ui/early-script.ts'
import { trimContract } from './build-ui/trim-contract.ts'
import { offlineWorker } from './build-ui/offline-worker.ts'
import { precompress } from './build-ui/precompress.ts'
import { stripStyleInjection } from './build-ui/strip-style-injection.ts'
import { trimLibraries } from './build-ui/trim-libraries.ts'

/** The browsers of the last two years. They know `light-dark()`, nesting and `@layer`, so nothing is lowered. */
const BROWSERS = ['chrome131', 'edge131', 'firefox132', 'safari18.1', 'ios18.1']

/** A few files that pack well together, in place of one for each shared module. */
const CHUNKS = [
  {
    name: 'vendor',
    test: /\/node_modules\/(@radix-ui\/react-direction|react|react-dom|scheduler|@tanstack\/(history|query-core|react-query)|@lingui|use-sync-external-store)\//,
  },
  { name: coreChunk, debugName: 'core' },
  { name: listChunk, debugName: 'list' },
  { name: firstViewChunk, debugName: 'base' },
  { name: visitorChunk, debugName: 'visitor' },
  { name: idleChunk, debugName: 'idle' },
]

export default defineConfig({
  root: fileURLToPath(new URL('../ui', import.meta.url)),
  // The page is served under any base URL: scripts and styles find each other relatively, and the server puts its
  // own prefix before the "/static/" of index.html.
  base: './',
  experimental: {
    renderBuiltUrl: (filename, { hostType }) => (hostType === 'html' ? `/${filename}` : { relative: true }),
  },
  plugins: [
    react(),
    catalogues(),
    trimContract(),
    trimLibraries(),
    stripStyleInjection(),
    declareLayers(),
    earlyScript(),
    offlineWorker(),
    precompress(),
  ],
  resolve: {
    alias: {
      typebox: fileURLToPath(new URL('../ui/src/lib/plain-schema.ts', import.meta.url)),
      // The shim is for Reacts of before 18.
      'use-sync-external-store/shim': 'use-sync-external-store',
    },
  },
  worker: { format: 'es' },
  css: { modules: { generateScopedName: '[local]-[hash:base64:5]' } },
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
      // The rest of the first view must not wait until its parts name each other.
      resolveDependencies: (file, chunks, { hostType }) =>
        hostType === 'html'
          ? chunks
          : file.includes('/whole-page-')
            ? chunks.filter((chunk) => /\/(base|list)-/.test(chunk))
            : [],
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: { codeSplitting: { groups: CHUNKS } },
    },
  },
})
