/** Builds whatever is stale, the server and the page in parallel. `--force` builds both. Types are checked by `npm run check`. */
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleServer } from './bundle-server.ts'
import { exitCode, repository, startTool } from './run-tool.ts'

interface Part {
  readonly name: string
  /** Files and folders that the output depends on. */
  readonly inputs: readonly string[]
  run(): Promise<void>
}

const dist = join(repository, 'dist')

const PARTS: readonly Part[] = [
  {
    name: 'server',
    inputs: ['src', 'tools/bundle-server.ts', 'tools/build.ts', 'package-lock.json'],
    run: bundleServer,
  },
  {
    name: 'page',
    inputs: [
      'ui',
      'docs',
      'SECURITY.md',
      'CONTRIBUTING.md',
      'src/README.md',
      'src/api',
      'src/domain',
      'config/vite.config.ts',
      'tools/build-ui',
      'tools/build.ts',
      'package-lock.json',
    ],
    run: buildPage,
  },
]

// Tests that pack filemgr build it too. With their "test", the page would contain React's development version.
process.env['NODE_ENV'] = 'production'
const started = new Date()
mkdirSync(dist, { recursive: true })
const stale = PARTS.filter((part) => process.argv.includes('--force') || isStale(part))
const built = await Promise.all(stale.map(build))
if (built.every(Boolean)) stamp('all')
else process.exitCode = 1

async function build({ name, run }: Part): Promise<boolean> {
  rmSync(stampOf(name), { force: true })
  try {
    await run()
  } catch (error) {
    console.error(`Building the ${name} failed.`, error)
    return false
  }
  stamp(name)
  return true
}

async function buildPage(): Promise<void> {
  const code = await exitCode(startTool(['vite', 'build', '--config', 'config/vite.config.ts', '--logLevel', 'warn']))
  if (code !== 0) throw new Error(`vite failed with exit code ${code}`)
}

/** The stamp has the time at which the build started, so that files saved during the build count as stale. */
function stamp(name: string): void {
  writeFileSync(stampOf(name), '')
  utimesSync(stampOf(name), started, started)
}

function stampOf(name: string): string {
  return join(dist, `.built-${name}`)
}

function isStale({ name, inputs }: Part): boolean {
  const built = statSync(stampOf(name), { throwIfNoEntry: false })?.mtimeMs
  return built === undefined || inputs.some((input) => newest(join(repository, input)) > built)
}

/** The newest modification time in a tree. Folders count too: removing a file changes them. */
function newest(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return 0
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}
