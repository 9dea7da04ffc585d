import { join, relative } from 'node:path'
import { build, type Plugin } from 'vite'

/**
 * Stay in node_modules: native code, WebAssembly, packages that load files relative to themselves, and Fastify's compilers,
 * which we never load.
 */
const NOT_BUNDLED = [
  ...['argon2', 'sharp', '@napi-rs/xattr', 'bzip2-wasm', 'open', 'pino-pretty'],
  ...['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'],
]

/** Modules that commands load together share one file with their imports: each file costs a third of a millisecond to load. */
const GROUPS: readonly (readonly [name: string, roots: readonly string[]])[] = [
  [
    'command-line',
    [
      'cli/program/program.js',
      'cli/program/audited.js',
      'cli/program/command.js',
      'cli/terminal/output.js',
      'platform/version.js',
    ],
  ],
  ['store-commands', ['context/open-context.js', 'cli/open-context.js', 'cli/terminal/table.js']],
]

/**
 * Bundles the output of tsc into a few files, because loading a thousand modules takes most commands longer than their work.
 * Workers and child programs run the unbundled output.
 */
export async function bundleCommands(dist: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: dist,
    publicDir: false,
    plugins: [keepModuleUrls(dist), stubGlob(), lazyBuiltIns(), escapeNonAscii()],
    ssr: { external: NOT_BUNDLED, noExternal: true },
    build: {
      ssr: true,
      outDir: join(dist, 'bundle'),
      emptyOutDir: true,
      minify: false,
      target: 'es2024',
      rolldownOptions: {
        input: { main: join(dist, 'cli/main.js') },
        output: {
          format: 'cjs',
          comments: false,
          entryFileNames: '[name].cjs',
          chunkFileNames: '[name].cjs',
          codeSplitting: {
            groups: GROUPS.map(([name, roots]) => ({
              name,
              test: (id) => roots.some((root) => id === join(dist, root)),
            })),
          },
        },
      },
    },
  })
}

/** Modules locate workers, the page and package.json relative to themselves, so each keeps its original URL. */
function keepModuleUrls(dist: string): Plugin {
  return {
    name: 'keep-module-urls',
    transform(code, id) {
      if (id.includes('node_modules') || !code.includes('import.meta.url')) return undefined
      const url = `new URL(${JSON.stringify(`../${relative(dist, id)}`)}, import.meta.url).href`
      return { code: code.replaceAll('import.meta.url', url), map: null }
    },
  }
}

/** @fastify/static needs `glob` only for a mode that we do not use, and loading it takes a thirtieth of the start. */
function stubGlob(): Plugin {
  return {
    name: 'stub-glob',
    enforce: 'pre',
    resolveId: (id) => (id === 'glob' ? '\0glob' : undefined),
    load: (id) => (id === '\0glob' ? 'export {}' : undefined),
  }
}

/** Built-in Node modules that take at least a millisecond to load and that most starts never use. */
const SLOW = ['child_process', 'crypto', 'https', 'tls', 'http2']

const IMPORT = new RegExp(
  String.raw`^(\t*)(?:let|var) (\w+) = require\("(?:node:)?(${SLOW.join('|')})"\);\n(?:\2 = \w+\.__toESM\(\2, 1\);\n)?`,
  'gm',
)

/** Loads them at first use. Bundled code looks up an export at each call, so its behaviour does not change. */
function lazyBuiltIns(): Plugin {
  return {
    name: 'lazy-built-ins',
    renderChunk(code) {
      const lazy = code.replace(IMPORT, (_whole, indent: string, variable: string, name: string) => {
        const module = `process.getBuiltinModule("${name}")`
        return `${indent}const ${variable} = new Proxy({}, { get: (_, key) => key === "default" ? ${module} : ${module}[key] });\n`
      })
      return { code: lazy, map: null }
    },
  }
}

/** Escapes non-ASCII characters: Node loads an ASCII file without decoding it, in half the memory. */
function escapeNonAscii(): Plugin {
  return {
    name: 'escape-non-ascii',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = escaped(file.code)
    },
  }
}

function escaped(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
