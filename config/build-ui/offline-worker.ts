import { createHash } from 'node:crypto'
import type { Plugin, Rolldown } from 'vite'
import { bundleScript } from './bundle-script.ts'
import { FILE_SCREEN } from './pages.ts'

const ENTRY = 'src/worker/offline-worker.ts'
const PICTURES = /^static\/sprite-[\w-]{8}\.\w+$/
/** It is copied as it is, and so not in the bundle. */
const THEME_SCRIPT = 'static/theme.js'

type Bundle = Rolldown.OutputBundle

/** Builds the service worker, which knows by name what the first view is made of. */
export function offlineWorker(): Plugin {
  return {
    name: 'filemgr:offline-worker',
    apply: 'build',
    generateBundle: {
      // After vite has put the styles together.
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
    if (chunk === undefined) throw new Error(`the build has no chunk of ${source}`)
    return chunk.fileName
  })
  const files = withImports(bundle, entries)
  const styles = [...files].flatMap((name) => [...(chunkOf(bundle, name)?.viteMetadata?.importedCss ?? [])])
  const pictures = Object.keys(bundle).filter((name) => PICTURES.test(name))
  return [...new Set([...files, ...styles, ...pictures, THEME_SCRIPT])].toSorted()
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
