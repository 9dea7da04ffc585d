import { chmod, rm } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { PASSWORD, testApp, type TestAppInput } from '../../helpers/api/test-app.ts'

const SECRET = 'a password from elsewhere'

/** A server whose sign-ins this script decides. The script gets the path of a folder of its own as $1. */
async function withProgram(script: string, input: TestAppInput = {}, settings: { commandEnvironment?: boolean } = {}) {
  await using held = new AsyncDisposableStack()
  const folder = held.use(await tempFolder({ 'check.sh': `#!/bin/sh\n${script}\n` }))
  await chmod(folder.at('check.sh'), 0o700)
  const server = held.use(await testApp(input))
  await server.user('ann', { create: true })
  await server.context.store.update(({ settings: stored }) => {
    stored.authMethod = 'hook'
    stored.auth = { ...stored.auth, ...settings, command: [folder.at('check.sh'), folder.path] }
  })
  const login = async (username: string, password: string = SECRET) =>
    await server.ask('POST', '/api/login', { payload: JSON.stringify({ username, password }) })
  const user = (name: string) => server.context.store.snapshot().users.find(({ username }) => username === name)
  const all = held.move()
  return { server, login, user, folder, [Symbol.asyncDispose]: async () => await all.disposeAsync() }
}

describe('sign-in by a program', () => {
  it('passes the credentials as JSON on standard input, and nowhere else', async () => {
    const script = 'cat > "$1/input"; echo "$*" > "$1/words"; env > "$1/env"; echo hook.action=block'
    await using world = await withProgram(script)
    expect(await world.login('ann', '"; touch x; "')).toMatchObject({ statusCode: 403, body: '403 Forbidden\n' })
    const { readFile } = await import('node:fs/promises')
    const read = async (name: string) => await readFile(world.folder.at(name), 'utf8')
    expect(JSON.parse(await read('input'))).toEqual({ username: 'ann', password: '"; touch x; "' })
    expect(await read('words')).toBe(`${world.folder.path}\n`)
    expect(await read('env')).not.toMatch(/touch|PASSWORD|USERNAME/)
  })

  it('CVE-2026-54088: passes the password to no shell, not even by the environment', async () => {
    const script = 'cat > /dev/null; printf %s "$PASSWORD" > "$1/seen"; echo hook.action=block'
    await using world = await withProgram(script, {}, { commandEnvironment: true })
    const attack = `$(touch ${world.folder.at('owned')}) \`id\``
    await world.login('ann', attack)
    const { readdir, readFile } = await import('node:fs/promises')
    expect(await readFile(world.folder.at('seen'), 'utf8')).toBe(attack)
    expect(await readdir(world.folder.path)).not.toContain('owned')
  })

  it('makes one account of a person who signs in twice at once', async () => {
    await using world = await withProgram('echo hook.action=auth')
    const answers = await Promise.all([world.login('eve'), world.login('eve')])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(world.server.context.store.snapshot().users).toHaveLength(3)
  })

  it('signs in users whom it allows, and creates accounts from its output', async () => {
    const script = 'echo hook.action=auth; echo user.scope=/team; echo user.locale=fr; echo user.perm.delete=false'
    await using world = await withProgram(script)
    const answer = await world.login('eve')
    expect([answer.statusCode, answer.body.split('.').length]).toEqual([200, 3])
    expect(world.user('eve')).toMatchObject({
      scope: '/team',
      locale: 'fr',
      lockPassword: true,
      perm: { admin: false, execute: false, create: true, delete: false },
    })
  })

  it('CVE-2026-34528: gives new accounts no right to administer or to run commands unless the program says so', async () => {
    const perm = { admin: true, execute: true }
    const input = { settings: { defaults: { perm, commands: ['sh'] } } }
    await using plain = await withProgram('echo hook.action=auth', input)
    await plain.login('eve')
    expect(plain.user('eve')).toMatchObject({ commands: [], perm: { admin: false, execute: false } })
    await using granting = await withProgram('echo hook.action=auth; echo user.perm.admin=true', input)
    await granting.login('eve')
    expect(granting.user('eve')).toMatchObject({ perm: { admin: true, execute: true, share: true } })
  })

  it('changes the fields of its output and keeps the rest, also rules and editor theme', async () => {
    await using world = await withProgram('echo hook.action=auth; echo user.locale=pt')
    const rules = [{ regex: false, allow: false, path: '/x', regexp: null }]
    await world.server.context.store.update(({ users }) => {
      for (const user of users) Object.assign(user, { rules, aceEditorTheme: 'monokai', scope: '/mine' })
    })
    const { body } = await world.login('ann', PASSWORD)
    await world.login('ann', PASSWORD)
    expect(world.user('ann')).toMatchObject({ locale: 'pt', rules, aceEditorTheme: 'monokai', scope: '/mine' })
    expect((await world.server.ask('GET', '/api/users/2', { headers: { 'x-auth': body } })).statusCode).toBe(200)
  })

  it('gives a home to users for whom it prints an empty scope, and leaves them there', async () => {
    const script = 'echo hook.action=auth; echo user.scope='
    await using world = await withProgram(script, { settings: { createUserDir: true } })
    for (const attempt of ['first', 'second']) {
      expect([attempt, (await world.login('eve')).statusCode]).toEqual([attempt, 200])
      expect(world.user('eve')?.scope).toBe('/users/eve')
    }
  })

  it('stores a new password that it accepts, and ends the sessions of the old one', async () => {
    await using world = await withProgram('echo hook.action=auth')
    const headers = { 'x-auth': (await world.login('ann', PASSWORD)).body }
    expect((await world.login('ann')).statusCode).toBe(200)
    expect((await world.server.ask('GET', '/api/users/2', { headers })).statusCode).toBe(401)
    await world.server.context.store.update(({ settings }) => void (settings.authMethod = 'json'))
    expect((await world.login('ann', PASSWORD)).statusCode).toBe(403)
    expect((await world.login('ann')).statusCode).toBe(200)
  })

  it('checks the stored password if the program answers "pass"', async () => {
    await using world = await withProgram('echo hook.action=pass')
    expect((await world.login('ann', PASSWORD)).statusCode).toBe(200)
    expect((await world.login('ann')).statusCode).toBe(403)
    expect((await world.login('eve')).statusCode).toBe(403)
  })

  it('never takes the permission to administer from the last administrator', async () => {
    await using world = await withProgram(
      'echo hook.action=auth; echo user.perm.admin=false; echo user.perm.create=false',
    )
    expect((await world.login('admin')).statusCode).toBe(200)
    expect(world.user('admin')).toMatchObject({ perm: { admin: true, create: false } })
    expect(JSON.stringify(world.server.log)).toContain('would leave no administrator')
  })

  it.each([
    ['it decides nothing', 'echo hello'],
    ['it writes a line without a value', 'echo hook.action=auth; yes'],
    ['it writes an invalid value', 'echo hook.action=auth; echo user.viewMode=huge'],
    ['it gives an unknown answer', 'echo hook.action=oops'],
  ])('lets nobody in when %s', async (_, script) => {
    await using world = await withProgram(script)
    expect(await world.login('ann')).toMatchObject({ statusCode: 500, body: '500 Internal Server Error\n' })
    expect(world.server.log.some(({ level }) => level === 'error')).toBe(true)
  })

  it('lets nobody in when it was removed', async () => {
    await using world = await withProgram('echo hook.action=auth')
    await rm(world.folder.at('check.sh'))
    expect(await world.login('ann')).toMatchObject({ statusCode: 500, body: '500 Internal Server Error\n' })
  })

  it('takes any other exit code than 0 for a refusal, which counts as a failure', async () => {
    await using world = await withProgram('echo hook.action=auth; exit 1')
    for (let count = 0; count < 5; count += 1) expect((await world.login('admin')).statusCode).toBe(403)
    expect((await world.login('admin')).statusCode).toBe(429)
  })

  it('does not pass it a name with control characters', async () => {
    await using world = await withProgram('touch "$1/asked"; echo hook.action=auth')
    expect((await world.login('ann\nadmin')).statusCode).toBe(403)
    const { readdir } = await import('node:fs/promises')
    expect(await readdir(world.folder.path)).not.toContain('asked')
  })

  it.each(['x', 'qwerty123456'])(
    'leaves it to the program which passwords are good, so also "%s"',
    async (password) => {
      await using world = await withProgram('echo hook.action=auth')
      for (const name of ['eve', 'ann', 'eve']) expect((await world.login(name, password)).statusCode).toBe(200)
      await world.server.context.store.update(({ settings }) => void (settings.authMethod = 'json'))
      for (const name of ['eve', 'ann']) expect((await world.login(name, password)).statusCode).toBe(200)
    },
  )

  it('keeps no password that is too long to be hashed, and ends the sessions of the old one once', async () => {
    await using world = await withProgram('echo hook.action=auth')
    const long = 'é'.repeat(2000)
    const headers = { 'x-auth': (await world.login('ann', PASSWORD)).body }
    for (const name of ['eve', 'ann', 'eve']) expect((await world.login(name, long)).statusCode).toBe(200)
    expect([world.user('eve')?.passwordHash, world.user('ann')?.passwordHash]).toEqual(['', ''])
    expect((await world.server.ask('GET', '/api/users/2', { headers })).statusCode).toBe(401)
    const again = { 'x-auth': (await world.login('ann', long)).body }
    await world.login('ann', long)
    expect((await world.server.ask('GET', '/api/users/2', { headers: again })).statusCode).toBe(200)
  })

  it.each([' eve ', 'a/b', '..', '?', 'id:7', 'e'.repeat(256)])(
    'makes no account of the name "%.10s", and tells the person so',
    async (name) => {
      await using world = await withProgram('echo hook.action=auth', { settings: { createUserDir: true } })
      const { statusCode, body } = await world.login(name)
      expect([statusCode, body]).toEqual([403, expect.stringContaining('there is no account of this name')])
      expect(world.server.context.store.snapshot().users).toHaveLength(2)
    },
  )

  it('CVE-2025-52997: slows guessing down as for stored passwords', async () => {
    await using world = await withProgram('echo hook.action=block')
    for (let count = 0; count < 5; count += 1) expect((await world.login('admin')).statusCode).toBe(403)
    expect((await world.login('admin')).statusCode).toBe(429)
  })

  it('refuses empty names, empty passwords and NUL characters without running it', async () => {
    await using world = await withProgram('echo hook.action=auth')
    for (const [name, password] of [
      ['', SECRET],
      ['ann', ''],
      ['ann', 'a\0b'],
    ] as const) {
      expect((await world.login(name, password)).statusCode).toBe(403)
    }
  })
})
