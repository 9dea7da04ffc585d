/**
 * `npm run pack:standalone [x64 | arm64]`: writes a tar archive with Node, filemgr and its packages, for machines without
 * npm. It runs on any Linux with glibc: unpack it and start `filemgr` in it. Without an argument it makes both.
 */
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCode, repository, startTool, type CommandLine } from './run-tool.ts'

const PROCESSORS = ['x64', 'arm64']
const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { version: string }

const named = process.argv.slice(2)
const unknown = named.find((word) => !PROCESSORS.includes(word))
if (unknown !== undefined) throw new Error(`unknown processor ${unknown}: expected ${PROCESSORS.join(' or ')}`)

const folder = await mkdtemp(join(tmpdir(), 'filemgr-standalone-'))
try {
  await run(['node', 'tools/build.ts'])
  await run(['npm', 'pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder])
  for (const processor of named.length > 0 ? named : PROCESSORS) console.log(await pack(processor))
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** @returns the path of the tar */
async function pack(processor: string): Promise<string> {
  const name = `filemgr-${version}-linux-${processor}`
  const root = join(folder, name)
  await mkdir(root)
  await writeFile(join(root, 'package.json'), '{"private":true}\n')
  const target = ['--os=linux', `--cpu=${processor}`, '--libc=glibc']
  // The packages contain prebuilt binaries. Install scripts are not needed, and could not run for another processor.
  const quiet = [
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    '--loglevel=error',
    '--ignore-scripts',
    '--prefer-offline',
  ]
  await run(['npm', 'install', '--prefix', root, ...target, ...quiet, join(folder, `filemgr-${version}.tgz`)])
  // Headers are only for compiling add-ons.
  await rm(join(root, `node_modules/node-linux-${processor}/include`), { recursive: true })
  await rm(join(root, 'node_modules/.bin'), { recursive: true, force: true })
  await rm(join(root, 'package.json'))
  await symlink('node_modules/filemgr/bin/filemgr', join(root, 'filemgr'))
  const tar = join(repository, `${name}.tar.gz`)
  await run(['tar', '--create', '--gzip', '--owner=0', '--group=0', '--file', tar, '--directory', folder, name])
  return tar
}

async function run(line: CommandLine): Promise<void> {
  const code = await exitCode(startTool(line, { stdio: ['ignore', 'ignore', 'inherit'] }))
  if (code !== 0) throw new Error(`${line.slice(0, 2).join(' ')} failed with exit code ${code}`)
}
