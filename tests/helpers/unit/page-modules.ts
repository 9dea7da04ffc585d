import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** A source file of the page and its imports. */
export interface PageModule {
  readonly code: string
  /** Static imports. */
  readonly imports: readonly string[]
  /** Dynamic imports. */
  readonly fetched: readonly string[]
}

/** The modules of a folder by path. Type imports do not count. */
export function readModules(folder: string): Map<string, PageModule> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
  return new Map(files.map((file) => join(folder, file)).map((file) => [file, readModule(file)]))
}

function readModule(file: string): PageModule {
  const code = readFileSync(file, 'utf8')
  const named = (pattern: RegExp): string[] =>
    [...code.matchAll(pattern)].map(([, path]) => resolve(dirname(file), path ?? '')).filter(existsSync)
  return {
    code,
    imports: named(/^import (?!type\b)[^'"]*?from '(\.[^']+)'/gm),
    fetched: named(/\bimport\('(\.[^']+)'\)/g),
  }
}

/** A module and its static imports, transitively. */
export function bundleOf(
  entry: string,
  modules: ReadonlyMap<string, PageModule>,
  seen = new Set<string>(),
): Set<string> {
  const module = modules.get(entry)
  if (module === undefined || seen.has(entry)) return seen
  seen.add(entry)
  for (const file of module.imports) bundleOf(file, modules, seen)
  return seen
}
