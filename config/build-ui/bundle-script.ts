import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** One script of `ui/src` with all that it imports, as a classic script of its own beside the page. */
export async function bundleScript(entry: string, define: Readonly<Record<string, string>> = {}): Promise<string> {
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
  if (script?.type !== 'chunk' || others.length > 0) throw new Error(`${entry} did not become one script`)
  return script.code
}
