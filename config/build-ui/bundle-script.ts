import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** Bundles a script of `ui/src` and its imports into one classic script. */
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
  if (script?.type !== 'chunk' || others.length > 0) throw new Error(`${entry} was not bundled into one script`)
  return script.code
}
