import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runOnTerminal } from '../../helpers/cli/on-terminal.ts'
import { runCli } from '../../helpers/cli/run-cli.ts'
import { testStore, type TestStore } from '../../helpers/cli/test-store.ts'

async function damage({ data }: TestStore): Promise<void> {
  for (const name of ['store.json', 'store.json.1']) await writeFile(join(data, name), '{')
}

async function breakLog({ data }: TestStore): Promise<void> {
  await mkdir(join(data, 'logs/audit.log'), { recursive: true })
}

it.each([
  [1, ['logs', '--audit'], breakLog],
  [2, ['users', 'add', 'bob', '--password', 'short']],
  [2, ['settings', 'set', 'signup=perhaps']],
  [2, ['restore', '/', '--yes']],
  [3, ['users', 'show', 'nobody']],
  [3, ['restore', '/nowhere']],
  [3, ['branding', 'add', '/nowhere/logo.svg']],
  [3, ['branding', 'rm', 'nope.css']],
  [3, ['uploads', 'rm', 'nope']],
  [3, ['users', 'import', '/nowhere.json']],
  [3, ['users', 'export', '/nowhere/users.json']],
  [3, ['settings', 'export', '/nowhere/settings.json']],
  [3, ['backup', 'create', '/nowhere/state.tar']],
  [3, ['import', '/nowhere']],
  [3, ['store', 'copy', '--from', '/nowhere']],
  [7, ['jobs', 'cancel', 'nope']],
  [2, ['doctor', '--url', 'files']],
  [2, ['serve', '/nowhere']],
  [2, ['server', 'set', 'root=/nowhere']],
  [3, ['shares', 'show', 'x'.repeat(16)]],
  [4, ['users', 'rm', 'admin', '--yes']],
  [5, ['users', 'add', 'admin', '--password', 'another passphrase']],
  [6, ['users', 'ls'], damage],
  [7, ['status']],
] as const)('exit code %i comes with the error in one line: %j', async (code, line, prepare?) => {
  await using store = await testStore()
  await prepare?.(store)
  const result = await store.runProcess(line)
  expect(result).toMatchObject({ code, stdout: '' })
  expect(result.stderr).toMatch(/^filemgr: .+\n$/)
})

it.each([
  ['Ctrl-C', '\u0003'],
  ['a "no"', 'n'],
])('exit code 130 means that %s ended a question on a terminal, and nothing is changed', async (_, keys) => {
  await using store = await testStore()
  await store.run(['rules', 'add', '/secret'])
  const talk = { when: /Remove "deny \/secret"\?[^]*Yes[^]*No/, keys }
  const { code, screen } = await runOnTerminal(['--data', store.data, 'rules', 'rm', '0'], talk)
  expect({ code, screen }).toMatchObject({
    code: 130,
    screen: expect.stringContaining('filemgr: cancelled; nothing') as string,
  })
  expect(await store.json(['rules', 'ls'])).toHaveLength(1)
})

it('questions are plain lines on a terminal that takes no escape sequences', async () => {
  await using store = await testStore()
  await store.run(['rules', 'add', '/secret'])
  const env = { TERM: 'dumb' }
  const [question, line] = [/Remove "deny \/secret"\? \[y\/N\] /, ['--data', store.data, 'rules', 'rm', '0']]
  const no = await runOnTerminal(line, { when: question, keys: 'n\n' }, env)
  expect(no).toMatchObject({ code: 130, screen: expect.stringContaining('filemgr: cancelled; nothing') as string })
  expect(await runOnTerminal(line, { when: question, keys: '\u0003' }, env)).toMatchObject({ code: 130 })
  expect(await runOnTerminal(line, { when: question, keys: 'y\n' }, env)).toMatchObject({ code: 0 })
  expect(await store.json(['rules', 'ls'])).toEqual([])
  const cancelled = await runOnTerminal(['hash'], { when: /Password for the hash: /, keys: 'a passphrase\u0003' }, env)
  expect(cancelled).toMatchObject({ code: 130 })
  expect(cancelled.screen).not.toContain('a passphrase')
  // eslint-disable-next-line no-control-regex -- the test looks for escape sequences
  expect(no.screen + cancelled.screen).not.toMatch(/\u001b/)
})

it('exit code 0 follows a "yes" to a question on a terminal', async () => {
  await using store = await testStore()
  await store.run(['hooks', 'add', 'after_save', 'true'])
  const talk = { when: /Remove after_save: true\?[^]*Yes[^]*No/, keys: 'y' }
  expect(await runOnTerminal(['--data', store.data, 'hooks', 'rm', 'after_save', '0'], talk)).toMatchObject({ code: 0 })
  expect(await store.json(['hooks', 'ls'])).toMatchObject({ hooks: [] })
})

it('exit code 1 and one line say that it runs on Linux only', async () => {
  const pretend = encodeURIComponent("Object.defineProperty(process, 'platform', { value: 'darwin' })")
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${pretend}` }
  const { code, stdout, stderr } = await runCli(['version'], { env })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^filemgr: filemgr runs on Linux only, this is darwin; .*\n$/)
})
