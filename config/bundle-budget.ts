/** Weighs what a browser fetches, gzipped, after a build of the page. Prints one line; exits with 1 above the budget. */
import { globSync, readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { FIRST_VIEW, ON_IDLE } from './build-ui/first-view.ts'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

type Manifest = Readonly<Record<string, Chunk>>

interface Budget {
  readonly name: string
  readonly bytes: number
  readonly limit: number
}

const KILOBYTE = 1000

/** What a visitor fetches for one file behind a public link, and for a folder. */
const LINK_TO_FILE = ['index.html', 'src/app/visitor-page.tsx']
const LINK_TO_FOLDER = [...LINK_TO_FILE, 'src/app/share-folder.tsx']

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../dist/ui'))
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest

const budgets: readonly Budget[] = [
  { name: 'first view', bytes: weigh(new Set([earlyScript(), ...scriptsOf(FIRST_VIEW)])), limit: 160 },
  { name: 'with overlays', bytes: weigh(scriptsOf([...FIRST_VIEW, ...ON_IDLE])), limit: 215 },
  { name: 'link to a file', bytes: weigh(scriptsOf(LINK_TO_FILE)), limit: 110 },
  { name: 'link to a folder', bytes: weigh(scriptsOf(LINK_TO_FOLDER)), limit: 132 },
  { name: 'styles', bytes: weigh(stylesOf(FIRST_VIEW)), limit: 20 },
  { ...heaviestTexts(), limit: 8 },
]
console.log(budgets.map(({ name, bytes, limit }) => `${name} ${inKilobytes(bytes)} of ${limit} kB`).join(', '))
if (budgets.some(({ bytes, limit }) => bytes > limit * KILOBYTE)) process.exitCode = 1

/** It is in the page itself, and so in no manifest: see config/build-ui/early-script.ts. */
function earlyScript(): string {
  const [file] = globSync('static/early-*.js', { cwd: folder })
  if (file === undefined) throw new Error('the build has no early script')
  return file
}

function scriptsOf(entries: readonly string[]): Set<string> {
  return new Set([...withImports(entries)].map((name) => chunk(name).file))
}

function stylesOf(entries: readonly string[]): Set<string> {
  return new Set([...withImports(entries)].flatMap((name) => chunk(name).css ?? []))
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
  if (found === undefined) throw new Error(`the build has no chunk "${name}"; config/bundle-budget.ts names it`)
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
