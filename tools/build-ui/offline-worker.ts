import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'
import { FILE_SCREEN } from './pages.ts'

const ENTRY = 'src/worker/offline-worker.ts'
const SPRITES = /^static\/sprite-[\w-]{8}\.\w+$/
/** Copied unchanged, so it is not in the bundle. */
const EARLY_SCRIPT = 'static/early.js'

type Bundle = Rolldown.OutputBundle

/** Builds the service worker, with the list of files that it caches for the first view. */
export function offlineWorker(): Plugin {
  return {
    name: 'filemgr:offline-worker',
    apply: 'build',
    generateBundle: {
      // After vite has emitted the style sheets.
      order: 'post',
      async handler(_options, bundle) {
        const files = shellOf(bundle)
        const version = createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 8)
        const source = await bundleScript(ENTRY, { SHELL: JSON.stringify({ version, files }) })
        this.emitFile({ type: 'asset', fileName: 'static/sw.js', source })
      },
    },
  }
}

function shellOf(bundle: Bundle): string[] {
  const entries = FILE_SCREEN.map((source) => {
    const chunk = Object.values(bundle).find(
      (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(`/ui/${source}`),
    )
    if (chunk === undefined) throw new Error(`the build has no chunk for ${source}`)
    return chunk.fileName
  })
  const files = withImports(bundle, entries)
  const styles = [...files].flatMap((name) => [...(chunkOf(bundle, name)?.viteMetadata?.importedCss ?? [])])
  const sprites = Object.keys(bundle).filter((name) => SPRITES.test(name))
  return [...new Set([...files, ...styles, ...sprites, EARLY_SCRIPT])].toSorted()
}

function withImports(bundle: Bundle, names: readonly string[], seen = new Set<string>()): Set<string> {
  for (const name of names) {
    if (seen.has(name)) continue
    seen.add(name)
    withImports(bundle, chunkOf(bundle, name)?.imports ?? [], seen)
  }
  return seen
}

function chunkOf(bundle: Bundle, name: string): Rolldown.OutputChunk | undefined {
  const file = bundle[name]
  return file?.type === 'chunk' ? file : undefined
}

/** Bundles a script of `ui/` and its imports into one classic script. */
async function bundleScript(entry: string, define: Readonly<Record<string, string>>): Promise<string> {
  const result = await build({
    configFile: false,
    root: fileURLToPath(new URL('../../ui', import.meta.url)),
    logLevel: 'warn',
    publicDir: false,
    define,
    build: {
      write: false,
      target: 'es2023',
      rolldownOptions: { input: entry, output: { format: 'iife' } },
    },
  })
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) => ('output' in one ? one.output : []))
  const [script, ...others] = outputs
  if (script?.type !== 'chunk' || others.length > 0) throw new Error(`${entry} was not bundled into one script`)
  return script.code
}
