import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { runCli } from '../../helpers/cli/run-cli.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { testStore } from '../../helpers/cli/test-store.ts'

/** Large or native packages that only the daemon or single commands need. */
const HEAVY = [
  ...['fastify', '@fastify', '@tus', 'sharp', 'pino', 'pino-pretty', 'argon2', '@clack', 'open'],
  ...['tar', 're2js', 'jose', 'string-width', 'typebox/build/compile', 'pg'],
]
/** The web server and the client of databases, once they are built. */
const HEAVY_FILES = ['/dist/bundle/app.cjs', '/dist/bundle/open-postgres.cjs']
const HEAVY_BUILTINS = ['node:https', 'node:tls', 'node:zlib', 'node:worker_threads']

const HOOK = pathToFileURL(join(import.meta.dirname, '../../helpers/cli/loaded-modules.ts')).href

it.each([
  [['version']],
  [['--help']],
  [['users', 'ls']],
  [['settings', 'get']],
  [['settings', 'set', 'signup=true']],
  [['rules', 'ls']],
  [['shares', 'ls']],
])('%j loads no web server, image library or native module', async (args) => {
  await using folder = await tempFolder()
  await using store = await testStore()
  const list = folder.at('modules')
  const env = { NODE_OPTIONS: `--import=${HOOK}`, LOADED_MODULES: list }
  expect(await runCli(['--data', store.data, ...args], { env })).toMatchObject({ code: 0 })
  const modules = (await readFile(list, 'utf8')).trim().split('\n')
  expect(modules.length).toBeGreaterThan(5)
  expect(modules.filter((url) => HEAVY.some((name) => url.includes(`/node_modules/${name}/`)))).toEqual([])
  expect(modules.filter((url) => HEAVY_FILES.some((name) => url.endsWith(name)))).toEqual([])
  expect(modules.filter((url) => HEAVY_BUILTINS.includes(url))).toEqual([])
})

it('version does not load the services', async () => {
  await using folder = await tempFolder()
  const env = { NODE_OPTIONS: `--import=${HOOK}`, LOADED_MODULES: folder.at('modules') }
  expect(await runCli(['version'], { env })).toMatchObject({ code: 0 })
  const modules = await readFile(folder.at('modules'), 'utf8')
  expect(modules).not.toMatch(/services|(open|command)-context|context\.(js|ts)$/m)
})

it('the built program loads at most 12 files to read the store', async () => {
  await using folder = await tempFolder()
  await using store = await testStore()
  const env = { NODE_OPTIONS: `--import=${HOOK}`, LOADED_MODULES: folder.at('modules') }
  expect(await runCli(['--data', store.data, 'users', 'ls'], { env })).toMatchObject({ code: 0 })
  const modules = (await readFile(folder.at('modules'), 'utf8')).trim().split('\n')
  const bundled = modules.filter((url) => url.includes('/dist/bundle/'))
  const others = modules.filter((url) => url.startsWith('file:') && !bundled.includes(url))
  if (bundled.length > 0) expect([...others, ...bundled.slice(12)]).toEqual([])
})

it('beside a daemon, an account is made with a small part of the source', async () => {
  await using folder = await tempFolder()
  await using store = await testStore()
  await using _daemon = await startTestDaemon({ data: store.data })
  const main = join(import.meta.dirname, '../../../src/cli/main.ts')
  const line = ['--data', store.data, 'users', 'add', 'bob', '--generate-password']
  const env = { ...process.env, NODE_OPTIONS: `--import=${HOOK}`, LOADED_MODULES: folder.at('modules') }
  await promisify(execFile)(process.execPath, [main, ...line], { env })
  const modules = (await readFile(folder.at('modules'), 'utf8')).trim().split('\n')
  const source = modules.filter((url) => url.includes('/src/'))
  expect(source).toContainEqual(expect.stringMatching(/commands\/accounts\/users\.ts$/))
  expect(source.filter((url) => /\/(services|storage|operations\/(?!handler|call-header))/.test(url))).toEqual([])
  expect(source.length).toBeLessThan(90)
})
