import { execFile } from 'node:child_process'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../../src/cli/line/command-list.ts'
import { allCommands, globalOptions } from '../../../src/cli/program/command.ts'
import { remoteOptions } from '../../../src/cli/server-client.ts'
import { passwordOptions } from '../../../src/cli/program/prompts.ts'
import { programLine } from '../../helpers/cli/program.ts'
import { bareEnvironment } from '../../helpers/cli/run-cli.ts'
import { runHere } from '../../helpers/cli/run-here.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { storeWithToken, testStore } from '../../helpers/cli/test-store.ts'
import { oldFile } from '../../helpers/samples/old-installation.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { containing } from '../../helpers/texts.ts'

interface Case {
  readonly words: readonly string[]
  /** Stands before `words`, to prepare the store. */
  readonly before?: readonly string[]
  readonly stdin?: () => Promise<string | Uint8Array>
  readonly expected: { readonly code?: number; readonly stdout?: unknown; readonly stderr?: unknown }
}

const text = (content: string) => async () => await Promise.resolve(content)

/** Every argument that is a file of the person's own machine, by the declaration of its command. */
const ARGUMENTS: Readonly<Record<string, readonly Case[]>> = {
  'users export [file]': [{ words: ['users', 'export', '-'], expected: { stdout: containing('"username": "admin"') } }],
  'users import <file>': [
    {
      words: ['users', 'import', '-'],
      stdin: text('[{"username":"ann"}]'),
      expected: { stdout: containing('added: ann') },
    },
    {
      words: ['users', 'import', '-'],
      stdin: text('- username: ann\n'),
      expected: { stdout: containing('added: ann') },
    },
    { words: ['users', 'import', '-'], stdin: text('username\nann\n'), expected: { stdout: containing('added: ann') } },
    { words: ['users', 'import', '-'], stdin: text(''), expected: { code: 2, stderr: containing('standard input') } },
  ],
  'settings export [file]': [
    { words: ['settings', 'export', '-'], expected: { stdout: containing('"signup": false') } },
  ],
  'settings import <file>': [
    { words: ['settings', 'import', '-'], stdin: text('{"signup":true}'), expected: { stdout: containing('signup') } },
    { words: ['settings', 'import', '-'], stdin: text('signup: true\n'), expected: { stdout: containing('signup') } },
    { words: ['config', 'import', '-'], stdin: text('{"signup":true}'), expected: { stdout: containing('signup') } },
  ],
  'branding add <files...>': [
    { words: ['branding', 'add', '-'], expected: { code: 2, stderr: containing('--as') } },
    {
      words: ['branding', 'add', '-', '--as', 'custom.css'],
      stdin: text('a {}'),
      expected: { stdout: containing('custom.css') },
    },
  ],
  'backup create <file>': [{ words: ['backup', 'create', '-'], expected: { stdout: containing('manifest.json') } }],
  'restore <file>': [
    { words: ['restore', '-', '--yes'], stdin: text('x'), expected: { code: 2, stderr: containing('not a tar file') } },
  ],
  'import <files...>': [
    {
      words: ['import', '-', '--merge', '--dry-run'],
      stdin: async () => await readFile(oldFile('filebrowser.db')),
      expected: { stdout: containing('Imported:') },
    },
    {
      words: ['import', '-', oldFile('users.json'), '--merge', '--dry-run'],
      stdin: async () => await readFile(oldFile('config.json')),
      expected: { stdout: containing('Imported:') },
    },
    {
      words: ['import', '-', '--merge'],
      stdin: text('x'),
      expected: { code: 2, stderr: containing('standard input: ') },
    },
  ],
  'put <file> <path>': [{ words: ['put', '-', '/new.txt'], stdin: text('x'), expected: { stdout: '/new.txt\n' } }],
  'get <path> [file]': [{ words: ['get', '/a.txt', '-'], expected: { stdout: 'content' } }],
}

const OPTIONS: Readonly<Record<string, readonly Case[]>> = {
  '--password-file <file>': [
    {
      words: ['users', 'add', 'ann', '--password-file', '-'],
      stdin: text('a long passphrase\n'),
      expected: { stdout: containing('ann') },
    },
    {
      words: ['users', 'add', 'ann', '--password-file', '-'],
      expected: { code: 2, stderr: containing('standard input') },
    },
  ],
  '--claims <file>': [
    {
      words: ['sign-in', 'oidc', 'test', 'sso', '--claims', '-'],
      stdin: text('no JSON'),
      expected: { code: 3, stderr: containing('there is no provider sso') },
    },
  ],
  '--undo <file>': [
    {
      words: ['rename', '/', '--undo', '-', '--yes'],
      stdin: text('{"renamed":[{"from":"old.txt","to":"a.txt"}]}'),
      expected: { stdout: '1 renamed\n' },
    },
  ],
}

const declared = await allCommands(COMMANDS)

it('no argument or option that is a file of this machine is missing here', () => {
  const takesFile = (words: string) => /[<[]files?(\.\.\.)?[>\]]/.test(words)
  const commands = declared.map(({ path, command }) => [...path.slice(0, -1), command.name].join(' ')).filter(takesFile)
  expect(Object.keys(ARGUMENTS).toSorted()).toEqual(commands.toSorted())
  const options = declared
    .flatMap(({ command }) => command.options ?? [])
    .concat(globalOptions(), passwordOptions(), remoteOptions())
    .filter(({ flags, hidden }) => takesFile(flags) && !hidden)
    .map(({ long, flags }) => `${long ?? ''} ${flags.split(' ').at(-1) ?? ''}`)
  // The daemon reads a secret from its file, too. A config file has its format from its name. The token is tested below, in place of the variable.
  const elsewhere = [
    '--secret-file <file>',
    '--config <file>',
    '--token-file <file>',
    '--old.database <file>',
    '--old.config <file>',
  ]
  const here = [...new Set(options)].filter((option) => !elsewhere.includes(option))
  expect(here.toSorted()).toEqual(Object.keys(OPTIONS).toSorted())
})

describe('"-" is standard input or output, and never a file', () => {
  const cases = Object.values({ ...ARGUMENTS, ...OPTIONS }).flat()

  it.each(cases.map((each) => [each.words.join(' '), each] as const))('%s', async (_, { words, stdin, expected }) => {
    await using folder = await tempFolder()
    await using store = await storeWithToken({ 'a.txt': 'content' })
    const isRemote = ['put', 'get', 'rename'].includes(words[0] ?? '')
    await using daemon = isRemote ? await startTestDaemon({ data: store.data, root: store.root }) : undefined
    const env = { FILEMGR_TOKEN: store.token, ...(daemon && { FILEMGR_URL: daemon.url }) }
    const input = { cwd: folder.path, env, ...(stdin && { stdin: await stdin() }) }
    const result = await runHere(['--data', store.data, ...words], input)
    expect(result).toMatchObject({ code: 0, ...expected })
    expect(await readdir(folder.path)).toEqual([])
  })

  it('takes a token from standard input', async () => {
    await using store = await storeWithToken({ 'a.txt': 'content' })
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    const words = ['get', '/a.txt', '-', '--url', daemon.url, '--token-file', '-']
    expect(await runHere(words, { stdin: `${store.token}\n` })).toMatchObject({ code: 0, stdout: 'content' })
  })

  it('restores what it has written', async () => {
    await using store = await testStore()
    const { stdout } = await store.runProcess(['backup', 'create', '-'])
    const restored = await store.runProcess(['restore', '-', '--yes'], { stdin: stdout })
    expect(restored).toMatchObject({ code: 0, stdout: containing('restored') })
  })
})

it('what is written into a pipe or a device does not replace it', async () => {
  await using store = await testStore()
  for (const line of ['users export', 'settings export --format json']) {
    const piped = ['-c', `"$0" "$@" | cat`, ...programLine(), '--data', store.data, ...line.split(' '), '/dev/stdout']
    const { stdout } = await promisify(execFile)('sh', piped, { env: bareEnvironment() })
    expect(stdout).toContain('{')
    const full = await store.run([...line.split(' '), '/dev/full'])
    expect(full).toMatchObject({ code: 8, stderr: containing('no space left') })
  }
  expect((await lstat('/dev/full')).isCharacterDevice()).toBe(true)
  expect((await lstat('/dev/stdout')).isSymbolicLink()).toBe(true)
})
