import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { runCli } from '../../helpers/cli/run-cli.ts'
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
