import { describe, expect, it } from 'vitest'
import { runCli } from '../../helpers/cli/run-cli.ts'
import { runHere } from '../../helpers/cli/run-here.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { matching } from '../../helpers/texts.ts'

describe('filemgr without a command that exists', () => {
  it('prints its help on stderr and exits with 2 when nothing says what to serve', async () => {
    await using nothing = await tempFolder()
    // Otherwise it would serve an installation of this machine.
    const env = { FILEMGR_DATA: nothing.at('data') }
    const { code, stdout, stderr } = await runCli([], { cwd: nothing.at('.'), env })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^Usage: filemgr .*serve.*users/s)
  })

  it.each([
    [['usrs', 'ls'], `filemgr: unknown command 'usrs' (did you mean users?); see "filemgr --help"\n`],
    [['help', 'nope'], /^filemgr: unknown command 'nope'/],
    [['nope', '--help'], /^filemgr: unknown command 'nope'/],
    [['help', 'users', 'nope'], /^filemgr: unknown command 'nope'/],
    [['users', 'lss'], `filemgr: unknown command 'lss' (did you mean ls?); see "filemgr users --help"\n`],
    [['groups', 'members', 'join'], `filemgr: unknown command 'join'; see "filemgr groups members --help"\n`],
    [['serve', '--prot', '1'], "filemgr: unknown option '--prot' (did you mean --port?)\n"],
    [['users', 'show'], "filemgr: missing required argument 'user'\n"],
    [['serve', 'one', 'two'], /^filemgr: too many arguments/],
  ])('answers %j with one line and exit code 2', async (args, line) => {
    const { code, stdout, stderr } = await runHere(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(line)
    expect(stderr.trimEnd()).not.toContain('\n')
  })

  it('prints the help of a group without a subcommand, with exit code 2', async () => {
    const { code, stdout, stderr } = await runHere(['users'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('passwd')
  })

  it('prints an error as an object with --json, and its stack with --debug only', async () => {
    const plain = await runHere(['serve', '--port', 'x', '--json'])
    expect(JSON.parse(plain.stderr)).toEqual({
      error: { code: 'INVALID_INPUT', message: '--port must be a whole number, not "x"', details: { field: 'port' } },
    })
    const debug = await runHere(['serve', '--port', 'x', '--debug'])
    expect(debug.stderr).toMatch(/^filemgr: --port .*\n.*at /s)
  })
})

describe('help', () => {
  it.each([[['users', 'add', '--help']], [['help', 'users', 'add']]])('%j shows flags and examples', async (args) => {
    const { code, stdout, stderr } = await runHere(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('--perm.create[=false]')
    expect(stdout).toMatch(/Examples:\n {2}# asks for the password\n {2}filemgr users add bob\n/)
  })

  it('-h fits on a screen: names of options, and examples', async () => {
    const { stdout } = await runHere(['serve', '-h'])
    expect(stdout).toMatch(/^Usage: filemgr serve .*Options: --root .*--address .*--qr --help\n.*Examples:/s)
    expect(stdout).not.toContain('A PEM file')
    // With the prompt after it.
    expect(stdout.split('\n').length).toBeLessThanOrEqual(24)
    expect((await runHere(['-h'])).stdout).toMatch(/^ {2}serve +Serve a folder to browsers$/m)
  })

  it('lists only what can be saved for commands that save', async () => {
    for (const name of ['server set', 'init']) {
      const { stdout } = await runHere([...name.split(' '), '--help'])
      expect(stdout, name).toContain('--port <integer>')
      for (const flag of ['--enable-exec', '--s3-direct', '--cache-dir']) expect(stdout, name).not.toContain(flag)
    }
    expect((await runHere(['settings', 'set', '--help'])).stdout).not.toContain('--port')
  })

  it('does not list the one-letter flags for old scripts', async () => {
    const { stdout } = await runHere(['serve', '--help'])
    expect(stdout).toContain('  --port <integer>')
    expect(stdout).not.toContain('-p, ')
  })
})

describe('version', () => {
  it.each([[['version']], [['--version']]])('%j prints the version', async (args) => {
    expect(await runCli(args)).toMatchObject({ code: 0, stdout: matching(/^filemgr \d+\.\d+\.\d+\n$/) })
  })

  it('is one value with --json', async () => {
    const { stdout } = await runHere(['version', '--json'])
    expect(JSON.parse(stdout)).toEqual({ version: matching(/^\d/) })
  })
})

describe('hash', () => {
  it('prints the argon2id hash of its argument', async () => {
    const { code, stdout } = await runHere(['hash', 'a long passphrase'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: matching(/^\$argon2id\$v=19\$\S+\n$/) })
  })

  it('reads the password from standard input, and refuses an empty one', async () => {
    expect(await runHere(['hash'], { stdin: 'a long passphrase\n' })).toMatchObject({ code: 0 })
    expect(await runHere(['hash'])).toMatchObject({ code: 2, stdout: '' })
  })
})
