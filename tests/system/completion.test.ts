import { execFile } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHEAP_HASH } from '../helpers/cheap-account.ts'
import { programLine } from '../helpers/cli/program.ts'
import { bareEnvironment } from '../helpers/cli/run-cli.ts'
import { runHere } from '../helpers/cli/run-here.ts'
import { testStore, type TestStore } from '../helpers/cli/test-store.ts'
import { tempFolder, type TempFolder } from '../helpers/temp-folder.ts'
import { needsPrograms } from '../helpers/needs.ts'

needsPrograms('bash', 'fish', 'zsh')

const execute = promisify(execFile)

let store: TestStore
let bin: TempFolder
beforeAll(async () => {
  store = await testStore()
  await store.run(['users', 'add', 'bob', ...CHEAP_HASH])
  await store.run(['users', 'add', 'Ann Smith', ...CHEAP_HASH])
  bin = await tempFolder()
  const [program, ...first] = programLine()
  await bin.fill({ filemgr: `#!/bin/sh\nexec ${[program, ...first].join(' ')} "$@"\n` })
  await chmod(bin.at('filemgr'), 0o755)
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  await bin[Symbol.asyncDispose]()
})

const complete = async (...words: string[]): Promise<string[]> => {
  const { code, stdout } = await runHere(['complete', '--', ...words], { env: { FILEMGR_DATA: store.data } })
  expect(code).toBe(0)
  return stdout.split('\n').slice(0, -1)
}

describe('completion', () => {
  it.each([
    [['us'], ['users']],
    [['--data', 'd', 'users', 'pas'], ['passwd']],
    [['help', 'users', 'exp'], ['export']],
    [['users', 'set', 'b'], ['bob']],
    [['shares', 'ls', '--user', 'An'], ['Ann Smith']],
    [['users', 'add', 'x', '--perm.cr'], ['--perm.create']],
    [
      ['users', 'add', 'x', '--perm.create='],
      ['--perm.create=true', '--perm.create=false'],
    ],
    [
      ['users', 'set', 'bob', '--view-mode', ''],
      ['list', 'mosaic', 'mosaic gallery'],
    ],
    [['settings', 'get', 'branding.na'], ['branding.name']],
    [['settings', 'set', 'signup=true', 'signu'], ['signup=']],
    [
      ['settings', 'set', 'signup='],
      ['signup=true', 'signup=false'],
    ],
    [['server', 'unset', 'base'], ['baseURL']],
    [['why', 'bob', 'dele'], ['delete']],
    [['hooks', 'add', 'before_s'], ['before_save']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['nope', ''], []],
    [['backup', 'create', ''], []],
  ])('of %j offers %j', async (words, found) => {
    expect(await complete(...words)).toEqual(found)
  })

  it('works without a store, and offers no hidden command', async () => {
    expect(await complete('--data', '/nowhere', 'users', 'show', '')).toEqual([])
    const { stdout } = await runHere(['complete', '--', ''])
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(['serve', 'users', 'help']))
    expect(stdout).not.toMatch(/^(config|complete)$/m)
  })
})

/** Runs lines in a shell that has loaded its script. */
const inShell = async (shell: string, script: (completion: string) => string): Promise<string[]> => {
  const { stdout: completion } = await runHere(['completion', shell])
  const bare = bareEnvironment()
  const env = { ...bare, FILEMGR_DATA: store.data, PATH: `${bin.path}:${bare['PATH'] ?? ''}`, HOME: bin.path }
  const flags = shell === 'zsh' ? ['-f', '-c'] : shell === 'bash' ? ['--norc', '-c'] : ['--no-config', '-c']
  const { stdout } = await execute(shell, [...flags, script(completion)], { env, cwd: store.root })
  return stdout.trimEnd().split('\n')
}

describe('the completion scripts', () => {
  it.each([
    ['filemgr users sh', ['show']],
    ['filemgr users set An', ['Ann\\ Smith']],
    ['filemgr settings set signu', ['signup=']],
    ['filemgr settings set signup = t', ['true']],
  ])('complete in bash: %s', async (line, found) => {
    const words = line.split(' ')
    const script = (completion: string) =>
      `${completion}\nCOMP_WORDS=(${words.join(' ')})\nCOMP_CWORD=${words.length - 1}\n_filemgr\nprintf '%s\\n' "\${COMPREPLY[@]}"`
    expect(await inShell('bash', script)).toEqual(found)
  })

  it.each([
    ['filemgr users sh', ['show']],
    ['filemgr users set An', ['Ann Smith']],
    ['filemgr settings set signu', ['signup=']],
    ['filemgr settings set signup=t', ['signup=true']],
    ['filemgr backup create ', ['files']],
  ])('complete in zsh: %s', async (line, found) => {
    // Outside of its line editor, zsh has no "compadd", which would receive the words.
    const script = (completion: string) =>
      `compdef() { :; }\n${completion}\ncompadd() { local name=$@[-1]; print -rl -- "\${(@P)name}"; }\n_files() { print files; }\nwords=("\${(@s: :):-${line}}")\nCURRENT=\${#words}\n_filemgr`
    expect(await inShell('zsh', script)).toEqual(found)
  })

  it.each([
    ['filemgr users sh', ['show']],
    ['filemgr users set An', ['Ann Smith']],
    ['filemgr settings set signup=', ['signup=true', 'signup=false']],
  ])('complete in fish: %s', async (line, found) => {
    const script = (completion: string) => `${completion}\ncomplete --do-complete '${line}'`
    expect((await inShell('fish', script)).map((one) => one.split('\t')[0]).toSorted()).toEqual(found.toSorted())
  })

  it('are refused for another shell', async () => {
    expect(await runHere(['completion', 'tcsh'])).toMatchObject({ code: 2 })
  })
})
