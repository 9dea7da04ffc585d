import { symlink } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { NO_PERMISSIONS } from '../../../src/domain/access/permissions.ts'
import type { UserPatch } from '../../../src/domain/accounts/user.ts'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { openTerminal, type TerminalEnd, type TerminalRequest } from '../../helpers/api/open-terminal.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { testApp, type Client, type TestAppInput } from '../../helpers/api/test-app.ts'

const COMMANDS = ['echo', 'printf', 'pwd', 'false', 'sleep', 'sh', 'env', 'nosuchbinaryzz', 'yes']

async function world(fields: UserPatch = {}, input: TestAppInput = {}) {
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
    await using place = await world()
    expect(await place.run(line)).toEqual({ lines, code: 1000, reason })
  })

  it('tells what a program says to both outputs in the order in which it said it', async () => {
    await using place = await world()
    const { lines } = await place.run("sh -c 'for i in 1 2 3 4 5 6 7 8 9; do echo o$i; echo e$i >&2; done'")
    expect(lines.join(' ')).toBe('o1 e1 o2 e2 o3 e3 o4 e4 o5 e5 o6 e6 o7 e7 o8 e8 o9 e9')
  })

  it('runs in the folder of the address, and takes the cookie of a page of its own', async () => {
    await using place = await world()
    const { server, ann } = place
    expect((await place.run('pwd', { folder: '/docs/' })).lines).toEqual([`${server.root}/docs`])
    const { port } = server.app.server.address() as { port: number }
    const headers = { cookie: `auth=${ann.token}`, origin: `http://127.0.0.1:${port}` }
    expect((await place.run('echo hi', { headers })).lines).toEqual(['hi'])
  })

  it('passes over blank messages, and runs one command for each connection', async () => {
    await using place = await world()
    const terminal = await place.open()
    for (const line of ['', '  ', 'echo one', 'echo two']) terminal.socket.send(line)
    expect((await terminal.ended).lines).toEqual(['one'])
  })

  it('says nothing where folder or program is missing, but in the reason of the close', async () => {
    await using place = await world()
    expect(await place.run('pwd', { folder: '/nope/' })).toMatchObject({ lines: [], code: 1000 })
    expect(await place.run('nosuchbinaryzz')).toMatchObject({
      lines: [],
      reason: expect.stringContaining('nosuch') as string,
    })
  })

  it('cuts the reason of the close where it would be longer than the protocol allows', async () => {
    await using place = await world({ commands: ['ü€😀'.repeat(20)] })
    const { code, reason } = await place.run('ü€😀'.repeat(20))
    expect([code, reason]).toEqual([1000, expect.stringMatching(/^the program ü€😀/)])
    expect(Buffer.byteLength(reason)).toBeGreaterThan(119)
  })

  it('is off unless the server was started with it: the rights of an account do not switch it on', async () => {
    await using place = await world({}, { options: {} })
    expect(await place.run('echo hi')).toMatchObject(DENIED)
  })

  it.each([
    ['sleepy 1', {}],
    ['/bin/echo hi', {}],
    ['./echo hi', { commands: ['./echo'] }],
    ['ech hi', {}],
    ['ls', {}],
    ['', { commands: [''] }],
  ])('CVE-2025-52995: only the exact first word of the list is run, not %j', async (line, fields) => {
    await using place = await world(fields)
    if (line !== '') expect(await place.run(line)).toMatchObject(DENIED)
    expect(await place.run('"" echo')).toMatchObject({ lines: expect.not.arrayContaining(['echo']) as string[] })
  })

  it.each(['echo a; id', 'echo a && id', 'echo a | id', 'echo $(id)', 'echo `id`'])(
    'GHSA-8c9q-7855-wfxq: no shell reads %j, also where one is set',
    async (line) => {
      await using place = await world({}, { options: { enableExec: true }, settings: { shell: ['/bin/sh', '-c'] } })
      expect((await place.run(line)).lines).toEqual([line.replace('echo ', '')])
    },
  )

  it('CVE-2025-52903: is for those alone who have the permission, administrators with no list included', async () => {
    await using place = await world()
    const eve = await place.server.user('eve', { create: true }, { commands: COMMANDS })
    expect(await place.run('echo hi', {}, eve)).toMatchObject(DENIED)
    expect(await place.run('echo hi', {}, await place.server.admin())).toMatchObject(DENIED)
  })

  it('asks for the permission when the command comes, not when the connection was made', async () => {
    await using place = await world()
    const terminal = await place.open()
    await place.server.context.store.update(({ users }) => {
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
      await using place = await world()
      const { lines } = await place.run('env')
      expect(lines.filter((line) => line.includes('FILEMGR_'))).toEqual([])
      expect(lines.some((line) => line.startsWith('PATH='))).toBe(true)
    } finally {
      delete process.env['FILEMGR_TEST_SECRET']
    }
  })

  it('CVE-2025-52904: does not start in a folder that a rule denies, nor in one to which a link leads out', async () => {
    await using outside = await tempFolder({ 'x.txt': 'x' })
    const rules = [{ allow: false, regex: false, path: '/docs', regexp: null }]
    await using place = await world({ rules })
    await symlink(outside.path, `${place.server.root}/out`)
    expect((await place.run('pwd', { folder: '/docs/' })).lines).toEqual([])
    expect((await place.run('pwd', { folder: '/out/' })).lines).toEqual([])
    expect((await place.run('pwd', { folder: '/..%2f..%2f' })).lines).not.toContain('/')
  })

  it.each(['http://evil.example', 'null', 'http://127.0.0.1:1'])(
    'is not opened by a page of %s, whatever cookie it brings',
    async (origin) => {
      await using place = await world()
      const terminal = await place.open({ headers: { cookie: `auth=${place.ann.token}`, origin } })
      expect((await terminal.ended).code).toBe(1006)
    },
  )

  it('CVE-2025-52901: is not opened by a token in the address, where every log would keep it', async () => {
    await using place = await world()
    for (const name of ['auth', 'token', 'x-auth']) {
      const terminal = await place.open({ headers: {}, folder: `/?${name}=${place.ann.token}` })
      expect((await terminal.ended).code).toBe(1006)
    }
    expect(JSON.stringify(place.server.log)).not.toContain(place.ann.token)
  })

  it('is not opened by the cookie where the browser says that another site asks, even without an origin', async () => {
    await using place = await world()
    const foreign = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'websocket' }
    const terminal = await place.open({ headers: { cookie: `auth=${place.ann.token}`, ...foreign } })
    expect((await terminal.ended).code).toBe(1006)
  })

  it('is not opened by a session that has ended', async () => {
    await using place = await world()
    await place.ann.ask('POST', '/api/logout')
    expect((await (await place.open()).ended).code).toBe(1006)
  })

  it('is not opened without a session, nor by a plain request', async () => {
    await using place = await world()
    expect((await (await place.open({ headers: {} })).ended).code).toBe(1006)
    expect((await place.server.ask('GET', '/api/command/')).statusCode).toBe(401)
    const plain = await place.ann.ask('GET', '/api/command/')
    expect([plain.statusCode, plain.body.match(/400/g)?.length ?? 0]).toEqual([400, expect.any(Number)])
  })

  it('closes a connection that sends a message of more than 64 KiB', async () => {
    await using place = await world()
    expect((await place.run(`echo ${'x'.repeat(70_000)}`)).code).toBe(1009)
  })
})

describe('a command that goes on', () => {
  /** Its first line is its process id. */
  const LONG = "sh -c 'echo $$; sleep 600 & echo $!; wait'"
  const pidsOf = async (lines: readonly string[]): Promise<number[]> => {
    await expect.poll(() => lines.length).toBe(2)
    return lines.map(Number)
  }
  const gone = async (pids: number[]) => await expect.poll(() => pids.filter(isAlive)).toEqual([])

  it('is ended with all that it started when the connection is closed', async () => {
    await using place = await world()
    const terminal = await place.open()
    terminal.socket.send(LONG)
    const pids = await pidsOf(terminal.lines)
    expect(pids.filter(isAlive)).toEqual(pids)
    terminal.socket.close()
    await gone(pids)
  })

  it('is ended at once when its session is revoked, and so is a connection that waits', async () => {
    await using place = await world()
    const [terminal, idle] = [await place.open(), await place.open()]
    terminal.socket.send(LONG)
    const pids = await pidsOf(terminal.lines)
    const { sessions, users } = place.server.context.services
    await sessions.revokeAllOf(OPERATOR, users.find('ann').id)
    expect([(await terminal.ended).code, (await idle.ended).code]).toEqual([1008, 1008])
    await gone(pids)
  })

  it.each([
    ['the permission', { perm: NO_PERMISSIONS }],
    ['its program', { commands: ['echo'] }],
  ])('is ended with all that it started when the user loses %s', async (_what, change) => {
    await using place = await world()
    const terminal = await place.open()
    terminal.socket.send(LONG)
    const pids = await pidsOf(terminal.lines)
    const { users } = place.server.context.services
    await users.update(OPERATOR, users.find('ann').id, change)
    expect(await terminal.ended).toMatchObject({ code: 1000, reason: 'refused' })
    await gone(pids)
  })

  it('ends with the server', async () => {
    await using place = await world()
    const terminal = await place.open()
    terminal.socket.send(LONG)
    const pids = await pidsOf(terminal.lines)
    await place.server.app.close()
    expect(await terminal.ended).toMatchObject({ code: 1001 })
    await gone(pids)
  })

  it('is interrupted by Ctrl-C of a client that knows how, and by no message of others', async () => {
    await using place = await world()
    const script = `sh -c 'trap "echo caught; exit 3" INT; echo ready; while :; do sleep 0.05; done'`
    const ours = await place.open({ protocols: ['filemgr.terminal'] })
    ours.socket.send(script)
    await expect.poll(() => ours.lines).toEqual(['ready'])
    ours.socket.send('\u0003')
    expect(await ours.ended).toMatchObject({ lines: ['ready', 'caught'], reason: 'exit 3' })
    const old = await place.open()
    old.socket.send(`sh -c 'trap "echo caught" INT; echo ready; sleep 0.5; echo done'`)
    await expect.poll(() => old.lines).toEqual(['ready'])
    old.socket.send('\u0003')
    expect((await old.ended).lines).toEqual(['ready', 'done'])
  })

  it('is one of three at once', async () => {
    await using place = await world()
    const three = [await place.open(), await place.open(), await place.open()]
    for (const { socket } of three) socket.send("sh -c 'echo on; sleep 600'")
    await expect.poll(() => three.map(({ lines }) => lines.length)).toEqual([1, 1, 1])
    expect((await place.run('echo hi')).lines).toEqual([expect.stringContaining('3 commands')])
    three[0]?.socket.close()
    await expect.poll(async () => (await place.run('echo hi')).lines).toEqual(['hi'])
    for (const { socket } of three) socket.close()
  })

  it('leaves a line in the audit log, without its arguments', async () => {
    await using place = await world()
    await place.run('echo secret', { folder: '/docs/' })
    await place.run('ls')
    const { entries } = (await (await place.server.admin()).ask('GET', '/api/audit?action=terminal.run')).json<{
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
