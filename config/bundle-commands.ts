import { join, relative } from 'node:path'
import { build, type Plugin } from 'vite'

/**
 * Found in node_modules when they are asked for: native code, WebAssembly, what looks for files beside itself, and the compilers
 * of the framework, which are never asked for.
 */
const NOT_BUNDLED = [
  ...['argon2', 'sharp', '@napi-rs/xattr', 'bzip2-wasm', 'open', 'pino-pretty'],
  ...['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'],
]

/** What commands need together goes into one file, with all that it imports: each file costs a third of a millisecond. */
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
 * Packs what tsc wrote into few files: a command that reads a thousand spends most of its time on that. Workers and
 * programs of their own keep the files of tsc.
 */
export async function bundleCommands(dist: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: dist,
    publicDir: false,
    plugins: [ownAddresses(dist), withoutGlob(), lazyBuiltIns(), plainText()],
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

/** Modules find workers, the page and package.json beside themselves: each keeps the address that it had. */
function ownAddresses(dist: string): Plugin {
  return {
    name: 'own-addresses',
    transform(code, id) {
      if (id.includes('node_modules') || !code.includes('import.meta.url')) return undefined
      const address = `new URL(${JSON.stringify(`../${relative(dist, id)}`)}, import.meta.url).href`
      return { code: code.replaceAll('import.meta.url', address), map: null }
    },
  }
}

/** The server of the page's files loads it for a mode that is not used here; it would take a thirtieth of the start. */
function withoutGlob(): Plugin {
  return {
    name: 'without-glob',
    enforce: 'pre',
    resolveId: (id) => (id === 'glob' ? '\0glob' : undefined),
    load: (id) => (id === '\0glob' ? 'export {}' : undefined),
  }
}

/** Built-in modules of Node that take a millisecond or more to load and that most starts never call. */
const SLOW = ['child_process', 'crypto', 'https', 'tls', 'http2']

const IMPORT = new RegExp(
  String.raw`^(\t*)(?:let|var) (\w+) = require\("(?:node:)?(${SLOW.join('|')})"\);\n(?:\2 = \w+\.__toESM\(\2, 1\);\n)?`,
  'gm',
)

/** Loads them with their first call: a bundle names their exports at each call, so the code behaves the same. */
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

/** Writes what is not ASCII as escapes: Node reads such a file without decoding it, and keeps it in half the memory. */
function plainText(): Plugin {
  return {
    name: 'plain-text',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = escaped(file.code)
    },
  }
}

function escaped(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
