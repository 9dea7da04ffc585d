/** Checks the npm package: with publint, its size, its links, and the Node versions that it can be installed with. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { repository } from '../run-tool.ts'

interface Packed {
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

interface LockedPackage {
  readonly version: string
  readonly dev?: true
  readonly optional?: true
  /** Needed by development packages and by optional ones. */
  readonly devOptional?: true
  readonly engines?: { readonly node?: string }
}

/** Files for browsers: index.html decides which of them are modules, not package.json. */
const PAGE_FOLDER = '/dist/ui/'
const MEBIBYTE = 1024 * 1024
/** On disk, unpacked. */
const MAX_SIZE = 28 * MEBIBYTE
/** Bytes that the smallest file takes up on common file systems. */
const BLOCK = 4096

const packOutput = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'], {
  cwd: repository,
  encoding: 'utf8',
})
const files = (JSON.parse(packOutput) as [Packed])[0].files

const problems = [
  ...(await problemsOfPublint()),
  ...problemOfSize(),
  ...deadLinks(),
  ...tooNewPackages(),
  ...unpinnedPackages(),
]
for (const problem of problems) console.log(problem)
process.exitCode = problems.length === 0 ? 0 : 1

async function problemsOfPublint(): Promise<string[]> {
  const { messages, pkg } = await publint({ pkgDir: repository, strict: true })
  return messages.flatMap((message) => {
    if (message.code === 'FILE_INVALID_FORMAT' && message.args.actualFilePath?.startsWith(PAGE_FOLDER) === true)
      return []
    return [formatMessage(message, pkg) ?? message.code]
  })
}

function problemOfSize(): string[] {
  const size = files.reduce((sum, file) => sum + Math.ceil(file.size / BLOCK) * BLOCK, 0)
  const inMebibytes = (bytes: number) => `${(bytes / MEBIBYTE).toFixed(1)} MiB`
  if (size <= MAX_SIZE) return []
  return [`the package takes up ${inMebibytes(size)} on disk, more than ${inMebibytes(MAX_SIZE)}`]
}

/** Links in the Markdown pages of the package to files that are not in the package. */
function deadLinks(): string[] {
  const paths = new Set(files.map(({ path }) => path))
  const folders = new Set(
    [...paths].flatMap((path) => path.split('/').map((_, i, parts) => parts.slice(0, i).join('/'))),
  )
  return [...paths]
    .filter((path) => path.endsWith('.md'))
    .flatMap((page) => {
      const text = readFileSync(join(repository, page), 'utf8')
      const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => new URL(link, `file:///${page}`))
      const targets = links.filter(({ protocol }) => protocol === 'file:').map((link) => fileURLToPath(link).slice(1))
      const missing = targets.filter((target) => !paths.has(target) && !folders.has(target.replace(/\/$/, '')))
      return missing.map((target) => `${page} links to ${target}, which is not in the package`)
    })
}

/**
 * Packages that an installation could get in another version than the tests have. npm reads no lock file of a package that it
 * installs from a file, so package.json names the packages of our packages too. Optional ones are named exactly by those.
 */
function unpinnedPackages(): string[] {
  const { dependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>
  }
  const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as Lock
  return Object.entries(packages).flatMap(([path, { version, dev, optional, devOptional }]) => {
    const name = path.replace(/^node_modules\//, '')
    const isLeftOut = [dev, optional, devOptional].includes(true)
    if (path === '' || isLeftOut || dependencies[name] === version) return []
    return [`${path} may be installed in another version: add "${name}": "${version}" to the dependencies`]
  })
}

/** Packages that need a newer Node than filemgr does: npm would print a warning about them. */
function tooNewPackages(): string[] {
  const read = (name: string) => readFileSync(join(repository, name), 'utf8')
  const oldest = firstMajor((JSON.parse(read('package.json')) as { engines: { node: string } }).engines.node)
  const { packages } = JSON.parse(read('package-lock.json')) as Lock
  return Object.entries(packages).flatMap(([path, { dev, engines }]) => {
    const needed = firstMajor(engines?.node ?? '')
    if (dev === true || needed <= oldest) return []
    return [`${path} needs Node ${needed}, but filemgr installs with ${oldest}: bundle it (devDependencies)`]
  })
}

/** The oldest major version in a range such as "^20.19 || >=22". */
function firstMajor(range: string): number {
  return Math.min(...range.split('||').map((part) => Number(/\d+/.exec(part)?.[0] ?? 0)))
}
