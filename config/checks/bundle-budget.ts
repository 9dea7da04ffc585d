/** Weighs the scripts that a browser fetches for a page, gzipped, after a build. Exits with 1 above the budget. */
import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { FILE_SCREEN, LOGIN, SHARE } from '../build-ui/pages.ts'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

interface Budget {
  readonly name: string
  readonly bytes: number
  readonly limit: number
}

const KILOBYTE = 1000

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../dist/ui'))
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Readonly<
  Record<string, Chunk>
>

const budgets: readonly Budget[] = [
  { name: 'file screen', bytes: weigh(scriptsOf(FILE_SCREEN)), limit: 230 },
  { name: 'sign-in', bytes: weigh(scriptsOf(LOGIN)), limit: 110 },
  { name: 'share', bytes: weigh(scriptsOf(SHARE)), limit: 140 },
  { name: 'styles', bytes: weigh(stylesOf(FILE_SCREEN)), limit: 30 },
  { ...heaviestTexts(), limit: 8 },
]
console.log(budgets.map(({ name, bytes, limit }) => `${name} ${inKilobytes(bytes)} of ${limit} kB`).join(', '))
if (budgets.some(({ bytes, limit }) => bytes > limit * KILOBYTE)) process.exitCode = 1

function scriptsOf(sources: readonly string[]): Set<string> {
  return new Set(['static/theme.js', ...[...withImports(sources)].map((name) => chunk(name).file)])
}

function stylesOf(sources: readonly string[]): Set<string> {
  return new Set([...withImports(sources)].flatMap((name) => chunk(name).css ?? []))
}

/** The chunks and all that they import statically. */
function withImports(names: readonly string[], seen = new Set<string>()): Set<string> {
  for (const name of names) {
    if (seen.has(name)) continue
    seen.add(name)
    withImports(chunk(name).imports ?? [], seen)
  }
  return seen
}

function chunk(name: string): Chunk {
  const found = manifest[name]
  if (found === undefined) throw new Error(`the build has no chunk "${name}"; config/build-ui/pages.ts names it`)
  return found
}

/** Each part of each language is a file of its own: the one that weighs most. */
function heaviestTexts(): Pick<Budget, 'name' | 'bytes'> {
  const files = readdirSync(join(folder, 'static/texts')).filter((file) => file.endsWith('.json'))
  const weighed = files.map((file) => ({
    name: file.replace(/-\w+\.json$/, ''),
    bytes: weigh(new Set([`static/texts/${file}`])),
  }))
  return weighed.reduce((heaviest, one) => (one.bytes > heaviest.bytes ? one : heaviest))
}

function weigh(files: ReadonlySet<string>): number {
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0)
}

function inKilobytes(bytes: number): string {
  return (bytes / KILOBYTE).toFixed(1)
}
