/** Builds whatever is stale, in parallel: the server with tsc, the page with vite. `--force` builds both. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleServer } from './bundle-server.ts'
import { exitCode, repository, startTool, type CommandLine } from './run-tool.ts'

interface Part {
  readonly name: string
  /** Files and folders that the output depends on. */
  readonly inputs: readonly string[]
  readonly run: CommandLine
}

const dist = join(repository, 'dist')

const PARTS: readonly Part[] = [
  {
    name: 'server',
    inputs: [
      'src',
      'config/tsconfig/base.json',
      'config/tsconfig/server.json',
      'tools/bundle-server.ts',
      'tools/build.ts',
      'package-lock.json',
    ],
    // `npm run check` checks types; `npm start` should not wait for that.
    run: ['tsc', '-p', 'config/tsconfig/server.json', '--noCheck'],
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
    run: ['vite', 'build', '--config', 'config/vite.config.ts', '--logLevel', 'warn'],
  },
]

// Tests that pack filemgr build it too. With their "test", the page would contain React's development version.
process.env['NODE_ENV'] = 'production'
const started = new Date()
mkdirSync(dist, { recursive: true })
const stale = PARTS.filter((part) => process.argv.includes('--force') || isStale(part))
const codes = await Promise.all(stale.map(async (part) => await build(part)))
if (codes.every((code) => code === 0)) stamp('all')
else process.exitCode = 1

async function build(part: Part): Promise<number> {
  rmSync(stampOf(part.name), { force: true })
  if (part.name === 'server') removeOrphans()
  const code = await exitCode(startTool(part.run))
  if (part.name === 'server') {
    rewriteDynamicImports()
    if (code === 0) await bundleServer(dist)
  }
  if (code === 0) stamp(part.name)
  else console.error(`Building the ${part.name} failed.`)
  return code
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

/** Works around tsc 6.0, which does not rewrite `.ts` in dynamic imports inside functions with `await using`. */
function rewriteDynamicImports(): void {
  for (const file of serverOutputs()) {
    const text = readFileSync(join(dist, file), 'utf8')
    const rewritten = text.replaceAll(/(?<=\bimport\('\.{1,2}\/[^']+\.)ts(?='\))/g, 'js')
    if (rewritten !== text) writeFileSync(join(dist, file), rewritten)
  }
}

/** Removes outputs whose source was removed or renamed; tsc leaves them. */
function removeOrphans(): void {
  const orphans = serverOutputs().filter((file) => !existsSync(join(repository, 'src', file.replace(/\.js$/, '.ts'))))
  for (const orphan of orphans) {
    for (const ending of ['.js', '.js.map', '.d.ts'])
      rmSync(join(dist, orphan.replace(/\.js$/, ending)), { force: true })
  }
}

function serverOutputs(): string[] {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith('.js') && !/^(ui|bundle)\//.test(file))
}
