/** Measures the gzipped scripts that a browser fetches for each page of the build. Exits with 1 above a budget. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import { builtFiles } from '../build-ui/built-files.ts'
import { FILE_SCREEN, SHARED_FILE, SHARED_FOLDER, SIGN_IN } from '../build-ui/pages.ts'

interface Budget {
  readonly name: string
  readonly bytes: number
  readonly limit: number
}

const KILOBYTE = 1000

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../dist/ui'))
const fileScreen = builtFiles(folder, FILE_SCREEN)

// tests/browser/page/fetched-scripts.test.ts compares these lists with what a browser really fetches.
const budgets: readonly Budget[] = [
  { name: 'file screen', bytes: gzippedSize([...fileScreen.scripts, 'static/sw.js']), limit: 230 },
  { name: 'sign-in', bytes: gzippedSize(builtFiles(folder, SIGN_IN).scripts), limit: 111 },
  { name: 'shared folder', bytes: gzippedSize(builtFiles(folder, SHARED_FOLDER).scripts), limit: 135 },
  { name: 'shared file', bytes: gzippedSize(builtFiles(folder, SHARED_FILE).scripts), limit: 135 },
  { name: 'styles', bytes: gzippedSize(fileScreen.styles), limit: 30 },
  { ...largestTexts(), limit: 8 },
]
console.log(budgets.map(({ name, bytes, limit }) => `${name} ${inKilobytes(bytes)} of ${limit} kB`).join(', '))
if (budgets.some(({ bytes, limit }) => bytes > limit * KILOBYTE)) process.exitCode = 1

/** The largest of the text files: one per language and part. */
function largestTexts(): Pick<Budget, 'name' | 'bytes'> {
  const files = new Set(readdirSync(join(folder, 'static/texts')).map((file) => file.replace(/\.(gz|br)$/, '')))
  const measured = [...files].map((file) => ({
    name: file.replace(/-\w+\.json$/, ''),
    bytes: gzippedSize([`static/texts/${file}`]),
  }))
  return measured.reduce((largest, one) => (one.bytes > largest.bytes ? one : largest))
}

function gzippedSize(files: Iterable<string>): number {
  return [...files].reduce((sum, file) => sum + gzippedSizeOf(join(folder, file)), 0)
}

/** The build keeps only tiny scripts uncompressed. */
function gzippedSizeOf(path: string): number {
  if (existsSync(`${path}.gz`)) return statSync(`${path}.gz`).size
  return gzipSync(readFileSync(path), { level: constants.Z_BEST_COMPRESSION }).length
}

function inKilobytes(bytes: number): string {
  return (bytes / KILOBYTE).toFixed(1)
}
