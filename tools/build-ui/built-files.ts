import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

/** Files of a built page, relative to its folder. */
export interface BuiltFiles {
  readonly scripts: ReadonlySet<string>
  readonly styles: ReadonlySet<string>
}

/** The scripts and styles that a browser fetches for these sources, static imports included. */
export function builtFiles(folder: string, sources: readonly string[]): BuiltFiles {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
  const chunks = new Map<string, Chunk>()
  const add = (name: string): void => {
    const chunk = manifest[name]
    if (chunk === undefined) throw new Error(`the build has no chunk "${name}", which tools/build-ui/pages.ts lists`)
    if (chunks.has(name)) return
    chunks.set(name, chunk)
    chunk.imports?.forEach(add)
  }
  sources.forEach(add)
  return {
    scripts: new Set(['static/early.js', ...[...chunks.values()].map(({ file }) => file)]),
    styles: new Set([...chunks.values()].flatMap(({ css = [] }) => css)),
  }
}
