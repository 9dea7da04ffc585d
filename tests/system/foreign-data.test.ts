import { chmod, chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/line/command-list.ts'
import { allCommands } from '../../src/cli/program/command.ts'
import { CHEAP_ACCOUNT } from '../helpers/cheap-account.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { startTestDaemon } from '../helpers/cli/test-daemon.ts'
import { testStore, type TestStore } from '../helpers/cli/test-store.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { needsRoot } from '../helpers/needs.ts'

needsRoot()

/** Of no account with a name. */
const OTHER = 12_345

/** Use no data folder: clients of a server, and tools. */
const WITHOUT_DATA = [
  'put',
  'get',
  'ls',
  'du',
  'compress',
  'extract',
  'rename',
  'hash',
  'version',
  'completion',
  'service *',
]
/** Need more arguments or a terminal, or first read a file that they name. */
const WITH_MORE = [
  'users import',
  'settings import',
  'settings set',
  'settings unset',
  'settings edit',
  'server set',
  'server unset',
  'store copy',
  'restore',
  'rules test',
  'why',
  'sessions revoke',
]

const withoutPowers = { enforcePermissions: true }

async function giveAway(store: TestStore, mode: number): Promise<void> {
  for (const name of ['store.json', 'store.lock', 'store.lock.txt']) await chown(join(store.data, name), OTHER, OTHER)
  await chown(store.data, OTHER, OTHER)
  await chmod(store.data, mode)
}

describe('the data folder of another account', () => {
  it('is refused by every command in one line that says what to type', async () => {
    await using store = await testStore()
    await giveAway(store, 0o700)
    const line = `filemgr: ${store.data} belongs to the account ${OTHER}: run "sudo -u '#${OTHER}' filemgr …", or choose another folder with --data\n`
    const commands = (await allCommands(COMMANDS)).filter(({ path }) => {
      const [name, group] = [path.join(' '), `${path[0] ?? ''} *`]
      return ![...WITHOUT_DATA, ...WITH_MORE].some((each) => each === name || each === group)
    })
    const answers = await Promise.all(
      Array.from({ length: 4 }, async (_, worker) => {
        const found: unknown[] = []
        for (const { path, command } of commands.filter((__, index) => index % 4 === worker)) {
          const words = [...path, ...wordsOf(command.name), ...(needsYes(command) ? ['--yes'] : [])]
          const { code, stderr } = await runCli(['--data', store.data, ...words], {
            ...withoutPowers,
            env: CHEAP_ACCOUNT,
          })
          if (code !== 4 || stderr !== line) found.push({ words, code, stderr })
        }
        return found
      }),
    )
    expect(answers.flat()).toEqual([])
  })

  it('is refused if others may read it, as far as a command needs more than that', async () => {
    await using store = await testStore()
    await giveAway(store, 0o755)
    for (const words of [
      ['users', 'ls'],
      ['rules', 'add', '/secret'],
      ['logs', '--audit'],
    ])
      expect(await runCli(['--data', store.data, ...words], withoutPowers)).toMatchObject({
        code: 4,
        stderr: expect.stringMatching(/^filemgr: \S+ belongs to the account 12345: [^\n]+\n$/) as string,
      })
  })

  it('is refused beside its daemon, too, and in a folder that may not be entered', async () => {
    await using folder = await tempFolder()
    const data = folder.at('closed/data')
    await mkdir(folder.at('closed'))
    await using daemon = await startTestDaemon({ data })
    await chown(data, OTHER, OTHER)
    const refused = { code: 4, stdout: '', stderr: expect.stringContaining(`'#${OTHER}' filemgr …"`) as string }
    expect(await runCli(['--data', data, 'status', '--quiet'], withoutPowers)).toMatchObject(refused)
    await chown(folder.at('closed'), OTHER, OTHER)
    await chmod(folder.at('closed'), 0o700)
    expect(await runCli(['--data', data, 'users', 'ls'], withoutPowers)).toMatchObject(refused)
    expect(daemon.pid).toBeGreaterThan(0)
  })

  it.each(['store.json', 'logs/audit.log', 'daemon.json', 'control.sock', 'sessions'])(
    'a file of another account in the own folder is named with the command that gives it back: %s',
    async (name) => {
      await using folder = await tempFolder()
      const data = folder.at('data')
      await using daemon = await startTestDaemon({ data })
      await runCli(['--data', data, 'rules', 'add', '/secret'])
      // Beside a daemon, a command reads neither of these.
      if (name === 'store.json' || name === 'sessions') await daemon.stop()
      await chown(join(data, name), OTHER, OTHER)
      await chmod(join(data, name), 0o600)
      const command = name === 'logs/audit.log' ? ['logs', '--audit'] : ['users', 'ls']
      const path = join(data, name)
      expect(await runCli(['--data', data, ...command], withoutPowers)).toMatchObject({
        code: 4,
        stderr: `filemgr: ${path} belongs to the account ${OTHER}: "sudo chown root ${path}" corrects that\n`,
      })
      await chown(join(data, name), 0, 0)
    },
  )
})

/** Arguments for "set <user> [values...]": one word for each that is required. */
function wordsOf(name: string): string[] {
  return name
    .split(' ')
    .filter((word) => word.startsWith('<'))
    .map(() => '1')
}

function needsYes({
  options = [],
}: {
  readonly options?: readonly { readonly long?: string | null | undefined }[]
}): boolean {
  return options.some(({ long }) => long === '--yes')
}
