import { symlink } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { NO_PERMISSIONS } from '../../../src/domain/access/permissions.ts'
import type { UserPatch } from '../../../src/domain/accounts/user.ts'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { openTerminal, type TerminalEnd, type TerminalRequest } from '../../helpers/api/open-terminal.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { testApp, type Client, type TestAppInput } from '../../helpers/api/test-app.ts'

const COMMANDS = ['echo', 'printf', 'pwd', 'false', 'sleep', 'sh', 'env', 'nosuchbinaryzz', 'yes']

async function openWorld(fields: UserPatch = {}, input: TestAppInput = {}) {
  const server = await testApp({ options: { enableExec: true }, files: { 'docs/a.txt': 'a' }, ...input })
  const ann = await server.user('ann', { execute: true, download: true }, { commands: COMMANDS, ...fields })
  const open = async (request: Partial<TerminalRequest> = {}, client: Client = ann) =>
    await openTerminal(server, { headers: { 'x-auth': client.token }, ...request })
  const run = async (line: string, request?: Partial<TerminalRequest>, client?: Client): Promise<TerminalEnd> => {
    const terminal = await open(request, client)
    terminal.socket.send(line)
    return await terminal.ended
  }
  return { server, ann, open, run, [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose]() }
}

const DENIED = { lines: ['Command not allowed.'] }

describe('the terminal', () => {
  it.each([
    ['echo hi', ['hi'], 'exit 0'],
    ['printf "a\\n\\nb"', ['a', '', 'b'], 'exit 0'],
    ["echo 'one  two' # three", ['one  two'], 'exit 0'],
    ['false', [], 'exit 1'],
    ["sh -c 'echo a; echo b >&2; exit 7'", ['a', 'b'], 'exit 7'],
    ["printf '\\033[31mred\\033[0m'", ['\u001b[31mred\u001b[0m'], 'exit 0'],
    ["echo 'a", ['error parsing command: EOF found when expecting closing quote'], 'refused'],
    ['# only a comment', ["no command contained in '# only a comment'"], 'refused'],
  ])('answers %j line by line, and says how it ended', async (line, lines, reason) => {
    await using world = await openWorld()
    expect(await world.run(line)).toEqual({ lines, code: 1000, reason })
  })

  it('sends stdout and stderr of a program in the order in which it wrote them', async () => {
    await using world = await openWorld()
    const { lines } = await world.run("sh -c 'for i in 1 2 3 4 5 6 7 8 9; do echo o$i; echo e$i >&2; done'")
    expect(lines.join(' ')).toBe('o1 e1 o2 e2 o3 e3 o4 e4 o5 e5 o6 e6 o7 e7 o8 e8 o9 e9')
  })

  it('runs in the folder of the address, and accepts the cookie from its own page', async () => {
    await using world = await openWorld()
    const { server, ann } = world
    expect((await world.run('pwd', { folder: '/docs/' })).lines).toEqual([`${server.root}/docs`])
    const { port } = server.app.server.address() as { port: number }
    const headers = { cookie: `auth=${ann.token}`, origin: `http://127.0.0.1:${port}` }
    expect((await world.run('echo hi', { headers })).lines).toEqual(['hi'])
  })

  it('ignores blank messages, and runs one command for each connection', async () => {
    await using world = await openWorld()
    const terminal = await world.open()
    for (const line of ['', '  ', 'echo one', 'echo two']) terminal.socket.send(line)
    expect((await terminal.ended).lines).toEqual(['one'])
  })

  it('reports a missing folder or program in the close reason only', async () => {
    await using world = await openWorld()
    expect(await world.run('pwd', { folder: '/nope/' })).toMatchObject({ lines: [], code: 1000 })
    expect(await world.run('nosuchbinaryzz')).toMatchObject({
      lines: [],
      reason: expect.stringContaining('nosuch') as string,
    })
  })

  it('cuts the close reason to the length that the protocol allows', async () => {
    await using world = await openWorld({ commands: ['ü€😀'.repeat(20)] })
    const { code, reason } = await world.run('ü€😀'.repeat(20))
    expect([code, reason]).toEqual([1000, expect.stringMatching(/^the program ü€😀/)])
    expect(Buffer.byteLength(reason)).toBeGreaterThan(119)
  })

  it('is off unless the server was started with it: the rights of an account do not switch it on', async () => {
    await using world = await openWorld({}, { options: {} })
    expect(await world.run('echo hi')).toMatchObject(DENIED)
  })

  it.each([
    ['sleepy 1', {}],
    ['/bin/echo hi', {}],
    ['./echo hi', { commands: ['./echo'] }],
    ['ech hi', {}],
    ['ls', {}],
    ['', { commands: [''] }],
  ])('CVE-2025-52995: runs only programs of the list by their exact name, not %j', async (line, fields) => {
    await using world = await openWorld(fields)
    if (line !== '') expect(await world.run(line)).toMatchObject(DENIED)
    expect(await world.run('"" echo')).toMatchObject({ lines: expect.not.arrayContaining(['echo']) as string[] })
  })

  it.each(['echo a; id', 'echo a && id', 'echo a | id', 'echo $(id)', 'echo `id`'])(
    'GHSA-8c9q-7855-wfxq: passes %j to no shell, even if one is set',
    async (line) => {
      await using world = await openWorld({}, { options: { enableExec: true }, settings: { shell: ['/bin/sh', '-c'] } })
      expect((await world.run(line)).lines).toEqual([line.replace('echo ', '')])
    },
  )

  it('CVE-2025-52903: needs the permission and a list of commands, also for administrators', async () => {
    await using world = await openWorld()
    const eve = await world.server.user('eve', { create: true }, { commands: COMMANDS })
    expect(await world.run('echo hi', {}, eve)).toMatchObject(DENIED)
    expect(await world.run('echo hi', {}, await world.server.admin())).toMatchObject(DENIED)
  })

  it('checks the permission when the command comes, not when the connection was made', async () => {
    await using world = await openWorld()
    const terminal = await world.open()
    await world.server.context.store.update(({ users }) => {
      const at = users.findIndex(({ username }) => username === 'ann')
      const user = users[at]
      if (user !== undefined) users[at] = { ...user, commands: [] }
    })
    terminal.socket.send('echo hi')
    expect(await terminal.ended).toMatchObject(DENIED)
  })

  it('CVE-2025-52904: finds no secret of the daemon in its environment', async () => {
    process.env['FILEMGR_TEST_SECRET'] = 'top secret'
    try {
      await using world = await openWorld()
      const { lines } = await world.run('env')
      expect(lines.filter((line) => line.includes('FILEMGR_'))).toEqual([])
      expect(lines.some((line) => line.startsWith('PATH='))).toBe(true)
    } finally {
      delete process.env['FILEMGR_TEST_SECRET']
    }
  })

  it('CVE-2025-52904: does not start in a folder that a rule denies, nor behind a link out of the scope', async () => {
    await using outside = await tempFolder({ 'x.txt': 'x' })
    const rules = [{ allow: false, regex: false, path: '/docs', regexp: null }]
    await using world = await openWorld({ rules })
    await symlink(outside.path, `${world.server.root}/out`)
    expect((await world.run('pwd', { folder: '/docs/' })).lines).toEqual([])
    expect((await world.run('pwd', { folder: '/out/' })).lines).toEqual([])
    expect((await world.run('pwd', { folder: '/..%2f..%2f' })).lines).not.toContain('/')
  })

  it.each(['http://evil.example', 'null', 'http://127.0.0.1:1'])(
    'is not opened by a page of %s, whatever cookie it brings',
    async (origin) => {
      await using world = await openWorld()
      const terminal = await world.open({ headers: { cookie: `auth=${world.ann.token}`, origin } })
      expect((await terminal.ended).code).toBe(1006)
    },
  )

  it('CVE-2025-52901: is not opened by a token in the address, where every log would keep it', async () => {
    await using world = await openWorld()
    for (const name of ['auth', 'token', 'x-auth']) {
      const terminal = await world.open({ headers: {}, folder: `/?${name}=${world.ann.token}` })
      expect((await terminal.ended).code).toBe(1006)
    }
    expect(JSON.stringify(world.server.log)).not.toContain(world.ann.token)
  })

  it('is not opened by the cookie in a cross-site request, even without an Origin header', async () => {
    await using world = await openWorld()
    const foreign = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'websocket' }
    const terminal = await world.open({ headers: { cookie: `auth=${world.ann.token}`, ...foreign } })
    expect((await terminal.ended).code).toBe(1006)
  })

  it('is not opened by a session that has ended', async () => {
    await using world = await openWorld()
    await world.ann.ask('POST', '/api/logout')
    expect((await (await world.open()).ended).code).toBe(1006)
  })

  it('is not opened without a session, nor by a plain request', async () => {
    await using world = await openWorld()
    expect((await (await world.open({ headers: {} })).ended).code).toBe(1006)
    expect((await world.server.ask('GET', '/api/command/')).statusCode).toBe(401)
    const plain = await world.ann.ask('GET', '/api/command/')
    expect([plain.statusCode, plain.body.match(/400/g)?.length ?? 0]).toEqual([400, expect.any(Number)])
  })

  it('closes a connection that sends a message of more than 64 KiB', async () => {
    await using world = await openWorld()
    expect((await world.run(`echo ${'x'.repeat(70_000)}`)).code).toBe(1009)
  })
})

describe('a running command', () => {
  /** Prints its process id and that of its child, then waits. */
  const LONG = "sh -c 'echo $$; sleep 600 & echo $!; wait'"
  const pidsOf = async (lines: readonly string[]): Promise<number[]> => {
    await expect.poll(() => lines.length).toBe(2)
    return lines.map(Number)
  }
  const expectGone = async (pids: number[]) => await expect.poll(() => pids.filter(isAlive)).toEqual([])

  it('is ended with all processes that it started when the connection is closed', async () => {
    await using world = await openWorld()
    const terminal = await world.open()
    terminal.socket.send(LONG)
    const pids = await pidsOf(terminal.lines)
    expect(pids.filter(isAlive)).toEqual(pids)
    terminal.socket.close()
    await expectGone(pids)
  })

  it('is ended at once when its session is revoked, and so is an idle connection', async () => {
    await using world = await openWorld()
    const [terminal, idle] = [await world.open(), await world.open()]
    terminal.socket.send(LONG)
    const pids = await pidsOf(terminal.lines)
    const { sessions, users } = world.server.context.services
    await sessions.revokeAllOf(OPERATOR, users.find('ann').id)
    expect([(await terminal.ended).code, (await idle.ended).code]).toEqual([1008, 1008])
    await expectGone(pids)
  })

  it.each([
    ['the permission', { perm: NO_PERMISSIONS }],
    ['the program', { commands: ['echo'] }],
  ])('is ended with all processes that it started when the user loses %s', async (_, change) => {
    await using world = await openWorld()
    const terminal = await world.open()
    terminal.socket.send(LONG)
    const pids = await pidsOf(terminal.lines)
    const { users } = world.server.context.services
    await users.update(OPERATOR, users.find('ann').id, change)
    expect(await terminal.ended).toMatchObject({ code: 1000, reason: 'refused' })
    await expectGone(pids)
  })

  it('ends with the server', async () => {
    await using world = await openWorld()
    const terminal = await world.open()
    terminal.socket.send(LONG)
    const pids = await pidsOf(terminal.lines)
    await world.server.app.close()
    expect(await terminal.ended).toMatchObject({ code: 1001 })
    await expectGone(pids)
  })

  it('is interrupted by Ctrl-C of a client with our subprotocol, and by no message of others', async () => {
    await using world = await openWorld()
    const script = `sh -c 'trap "echo caught; exit 3" INT; echo ready; while :; do sleep 0.05; done'`
    const ours = await world.open({ protocols: ['filemgr.terminal'] })
    ours.socket.send(script)
    await expect.poll(() => ours.lines).toEqual(['ready'])
    ours.socket.send('\u0003')
    expect(await ours.ended).toMatchObject({ lines: ['ready', 'caught'], reason: 'exit 3' })
    const old = await world.open()
    old.socket.send(`sh -c 'trap "echo caught" INT; echo ready; sleep 0.5; echo done'`)
    await expect.poll(() => old.lines).toEqual(['ready'])
    old.socket.send('\u0003')
    expect((await old.ended).lines).toEqual(['ready', 'done'])
  })

  it('is one of at most three at once', async () => {
    await using world = await openWorld()
    const three = [await world.open(), await world.open(), await world.open()]
    for (const { socket } of three) socket.send("sh -c 'echo on; sleep 600'")
    await expect.poll(() => three.map(({ lines }) => lines.length)).toEqual([1, 1, 1])
    expect((await world.run('echo hi')).lines).toEqual([expect.stringContaining('3 commands')])
    three[0]?.socket.close()
    await expect.poll(async () => (await world.run('echo hi')).lines).toEqual(['hi'])
    for (const { socket } of three) socket.close()
  })

  it('leaves a line in the audit log, without its arguments', async () => {
    await using world = await openWorld()
    await world.run('echo secret', { folder: '/docs/' })
    await world.run('ls')
    const { entries } = (await (await world.server.admin()).ask('GET', '/api/audit?action=terminal.run')).json<{
      entries: object[]
    }>()
    expect(entries).toMatchObject([
      { who: 'ann', target: '/: ls', outcome: 'refused' },
      { who: 'ann', target: '/docs/: echo', outcome: 'done' },
    ])
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
