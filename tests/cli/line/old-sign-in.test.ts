import { describe, expect, it } from 'vitest'
import { runCli, startCli } from '../../helpers/cli/run-cli.ts'
import { runHere } from '../../helpers/cli/run-here.ts'
import { type TempFolder, tempFolder } from '../../helpers/temp-folder.ts'
import { containing } from '../../helpers/texts.ts'

/** A folder, and how to run a line of a script in it. */
function script(folder: TempFolder): (...words: string[]) => ReturnType<typeof runHere> {
  return async (...words) => await runHere(['-d', 'd', ...words], { cwd: folder.path })
}

const BOB = ['users', 'add', 'bob', 'another passphrase']

describe('the start script of an installation without sign-in', () => {
  it('chooses the method before it adds the account as which everyone acts', async () => {
    await using folder = await tempFolder({ 'files/': '' })
    const run = script(folder)
    expect(await run('config', 'init', '--auth.method=noauth', '-r', 'files')).toMatchObject({ code: 0 })
    const start = ['-d', 'd', 'serve', '-p', '0']
    const early = await runCli(start, { cwd: folder.path })
    expect(early).toMatchObject({ code: 2, stdout: '', stderr: containing('add one with "filemgr users add NAME') })
    expect(early.stderr).toMatch(/^filemgr: [^\n]+\n$/)
    expect(await run('users', 'add', 'admin', 'a long passphrase', '--perm.admin')).toMatchObject({ code: 0 })
    await using daemon = startCli([...start, '--json'], { cwd: folder.path })
    const { url } = JSON.parse(await daemon.firstLine()) as { url: string }
    const token = await (await fetch(`${url}api/login`, { method: 'POST' })).text()
    const listing = await fetch(`${url}api/resources/`, { headers: { 'X-Auth': token } })
    expect(listing.status).toBe(200)
  })

  it('needs an account with --noauth too, and an enabled one', async () => {
    await using folder = await tempFolder({ 'files/': '' })
    const run = script(folder)
    await run('config', 'init', '-r', 'files')
    const refused = { code: 2, stderr: containing('without sign-in everyone acts as the first enabled account') }
    const start = ['-d', 'd', '-p', '0', '--noauth']
    expect(await runCli(start, { cwd: folder.path })).toMatchObject(refused)
    await run(...BOB)
    await run('users', 'disable', 'bob')
    expect(await runCli(start, { cwd: folder.path })).toMatchObject(refused)
  })

  it('may have ordinary accounts only, and is told as whom everyone acts', async () => {
    await using folder = await tempFolder({ 'files/': '' })
    const run = script(folder)
    await run('config', 'init', '-r', 'files')
    await run(...BOB)
    const told = containing('acts as bob, who is no administrator')
    expect(await run('config', 'set', '--auth.method=noauth')).toMatchObject({ code: 0, stderr: told })
    await run('config', 'set', '--auth.method=json')
    expect(await run('settings', 'set', 'authMethod=noauth')).toMatchObject({ code: 0, stderr: told })
  })

  it('needs --no-auth-remote to listen on other addresses than loopback', async () => {
    await using folder = await tempFolder({ 'files/': '' })
    const run = script(folder)
    const line = ['config', 'init', '--auth.method=noauth', '-r', 'files', '-a', '0.0.0.0']
    expect(await run(...line)).toMatchObject({ code: 2, stderr: containing('--no-auth-remote') })
    expect(await run(...line, '--no-auth-remote')).toMatchObject({ code: 0 })
  })
})

describe('a start script that chooses another method before there are accounts', () => {
  it('names the sign-in program', async () => {
    await using folder = await tempFolder({ 'files/': '' })
    const run = script(folder)
    const line = ['config', 'init', '--auth.method', 'hook', '-r', 'files']
    expect(await run(...line)).toMatchObject({ code: 2, stderr: containing('auth.command') })
    expect(await run(...line, '--auth.command', '/bin/none')).toMatchObject({
      code: 2,
      stderr: containing('/bin/none'),
    })
    expect(await run(...line, '--auth.command', '/bin/true')).toMatchObject({ code: 0 })
    expect((await run('settings', 'get', 'authMethod')).stdout).toBe('hook\n')
  })

  it('names the trusted proxies', async () => {
    await using folder = await tempFolder({ 'files/': '' })
    const run = script(folder)
    const line = ['config', 'init', '--auth.method=proxy', '--auth.header=X-User', '-r', 'files']
    expect(await run(...line)).toMatchObject({ code: 2, stderr: containing('--trusted-proxies') })
    expect(await run(...line, '--trusted-proxies', '10.0.0.1')).toMatchObject({ code: 0 })
  })
})
