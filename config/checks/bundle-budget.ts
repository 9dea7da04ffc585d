/** Weighs the scripts that a browser fetches for a page, gzipped, after a build. Exits with 1 above the budget. */
import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
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

// tests/browser/page/fetched-scripts.test.ts compares these scripts with those that a browser fetches.
const budgets: readonly Budget[] = [
  { name: 'file screen', bytes: weigh([...fileScreen.scripts, 'static/sw.js']), limit: 230 },
  { name: 'sign-in', bytes: weigh(builtFiles(folder, SIGN_IN).scripts), limit: 110 },
  { name: 'shared folder', bytes: weigh(builtFiles(folder, SHARED_FOLDER).scripts), limit: 135 },
  { name: 'shared file', bytes: weigh(builtFiles(folder, SHARED_FILE).scripts), limit: 135 },
  { name: 'styles', bytes: weigh(fileScreen.styles), limit: 30 },
  { ...heaviestTexts(), limit: 8 },
]
console.log(budgets.map(({ name, bytes, limit }) => `${name} ${inKilobytes(bytes)} of ${limit} kB`).join(', '))
if (budgets.some(({ bytes, limit }) => bytes > limit * KILOBYTE)) process.exitCode = 1

/** Each part of each language is a file of its own: the one that weighs most. */
function heaviestTexts(): Pick<Budget, 'name' | 'bytes'> {
  const files = readdirSync(join(folder, 'static/texts')).filter((file) => file.endsWith('.json'))
  const weighed = files.map((file) => ({
    name: file.replace(/-\w+\.json$/, ''),
    bytes: weigh([`static/texts/${file}`]),
  }))
  return weighed.reduce((heaviest, one) => (one.bytes > heaviest.bytes ? one : heaviest))
}

function weigh(files: Iterable<string>): number {
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0)
}

function inKilobytes(bytes: number): string {
  return (bytes / KILOBYTE).toFixed(1)
}
