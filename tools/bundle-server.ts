import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'
import { repository } from './run-tool.ts'

const source = join(repository, 'src')

/** Never loaded: Fastify's compilers, because schemas are compiled by our own, and pg's client in C. */
const NEVER_LOADED = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'pg-native']

/** Modules that commands load together share one file with their imports: each file costs a third of a millisecond to load. */
const GROUPS: readonly (readonly [name: string, roots: readonly string[]])[] = [
  ['command-line', ['cli/line/program.ts', 'cli/program/command.ts', 'cli/terminal/output.ts', 'platform/version.ts']],
  ['door', ['cli/door/door.ts', 'cli/program/prompts.ts', 'cli/terminal/table.ts']],
  [
    'store-commands',
    ['context/open-context.ts', 'cli/command-context.ts', 'operations/handlers.ts', 'operations/perform.ts'],
  ],
]

/**
 * Bundles the source into a few files, because loading a thousand modules takes most commands longer than their work.
 * The bundle also contains the packages it uses, so that an installation need not have them. Only those in `dependencies` stay
 * in node_modules: native code, and packages that are resolved or load files at run time.
 */
export async function bundleServer(): Promise<void> {
  await bundle({
    input: { main: join(source, 'cli/main.ts') },
    chunkFileNames: '[name].cjs',
    licences: 'licences.txt',
    groups: GROUPS.map(([name, roots]) => ({ name, test: (id) => roots.some((root) => id === join(source, root)) })),
  })
  // In a bundle of their own, so that a thread loads only what it needs, and not the modules that commands share.
  await bundle({
    input: Object.fromEntries(workers().map((file) => [basename(file, '.ts'), join(source, file)])),
    chunkFileNames: 'worker-[name].cjs',
    licences: 'worker-licences.txt',
    groups: [],
  })
}

interface Parts {
  readonly input: Readonly<Record<string, string>>
  readonly chunkFileNames: string
  /** Bundled packages require that their licences are distributed with them. */
  readonly licences: string
  readonly groups: Rolldown.CodeSplittingGroup[]
}

async function bundle({ input, chunkFileNames, licences, groups }: Parts): Promise<void> {
  const { dependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  await build({
    configFile: false,
    logLevel: 'warn',
    root: source,
    publicDir: false,
    // As text to parse: keys that are names of exports could not be escaped.
    json: { namedExports: false, stringify: true },
    // @fastify/static needs it only for a mode that we do not use, and loading it takes a fiftieth of the start.
    resolve: { alias: { glob: 'data:text/javascript,export {}' } },
    plugins: [lazyBuiltIns(), escapeNonAscii()],
    ssr: { external: [...Object.keys(dependencies), ...NEVER_LOADED], noExternal: true },
    build: {
      ssr: true,
      outDir: join(repository, 'dist/bundle'),
      emptyOutDir: 'main' in input,
      minify: false,
      license: { fileName: licences },
      target: 'es2024',
      rolldownOptions: {
        input,
        // Some modules are imported lazily by one command and at once by another.
        checks: { ineffectiveDynamicImport: false },
        output: {
          format: 'cjs',
          comments: false,
          entryFileNames: '[name].cjs',
          chunkFileNames,
          codeSplitting: { groups },
        },
      },
    },
  })
}

/** The main files of threads and child programs, relative to `src`. */
function workers(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('-worker.ts'))
}

/** Built-in Node modules that take at least a millisecond to load and that most starts never use. */
const SLOW = ['child_process', 'crypto', 'https', 'tls', 'http2', 'worker_threads']

const IMPORT = new RegExp(String.raw`^(\t*)(?:let|var) (\w+) = require\("(?:node:)?(${SLOW.join('|')})"\);\n`, 'gm')
/** May follow anywhere after the import. */
const TO_ESM = /^\t*(\w+) = \w+\.__toESM\(\1(?:, 1)?\);\n/gm

/** Loads the slow built-in modules at first use. Bundled code looks up an export at each call, so it behaves the same. */
function lazyBuiltIns(): Plugin {
  return {
    name: 'lazy-built-ins',
    renderChunk(code) {
      const variables = new Set<string>()
      const lazy = code.replace(IMPORT, (_whole, indent: string, variable: string, name: string) => {
        variables.add(variable)
        const loaded = `lazy_${variable}`
        const module = `(${loaded} ??= process.getBuiltinModule("${name}"))`
        const proxy = `new Proxy({}, { get: (_, key) => key === "default" ? ${module} : ${module}[key] })`
        return `${indent}let ${loaded}; const ${variable} = ${proxy};\n`
      })
      const converted = (whole: string, variable: string) => (variables.has(variable) ? '' : whole)
      return { code: lazy.replace(TO_ESM, converted), map: null }
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
