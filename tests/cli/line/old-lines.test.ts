import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { oldFile } from '../../helpers/samples/old-installation.ts'
import { runCli, startCli } from '../../helpers/cli/run-cli.ts'
import { runHere } from '../../helpers/cli/run-here.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { testStore } from '../../helpers/cli/test-store.ts'

interface Shown {
  readonly settings: Readonly<Record<string, unknown>>
  readonly server: Readonly<Record<string, unknown>>
}

describe('a script for File Browser', () => {
  it('creates a store, changes its settings, and adds and changes users with passwords as arguments', async () => {
    await using folder = await tempFolder({ 'files/': '' })
    const run = async (...args: string[]) => {
      const result = await runHere(args, { cwd: folder.path, env: { FB_DATABASE: folder.at('d') } })
      expect({ args, code: result.code, stderr: result.code === 0 ? '' : result.stderr }).toEqual({
        args,
        code: 0,
        stderr: '',
      })
      return result.stdout
    }
    await run('config', 'init', '-r', 'files', '-a', '0.0.0.0', '-s', '--branding.name', 'Ours', '--perm.share=false')
    await run('users', 'add', 'admin', 'a long passphrase', '--perm.admin')
    await run('users', 'add', 'bob', 'another passphrase', '--scope=/bob', '--lockPassword', '--viewMode', 'list')
    await run('config', 'set', '--tokenExpirationTime=3h', '--createUserDir', '--locale=fr', '--lockPassword')
    await run('users', 'update', 'bob', '-p', 'a third passphrase', '-u', 'robert', '--perm.admin')
    expect(JSON.parse(await run('users', 'find', 'robert', '--json'))).toMatchObject({
      username: 'robert',
      scope: '/bob',
      viewMode: 'list',
      lockPassword: true,
      perm: { admin: true, share: false },
    })
    expect(await run('users', 'find', '1')).toContain('admin')
    await run('rules', 'add', '-u', 'robert', '/secret')
    await run('rules', '-i', '2', 'add', '/open', '-a')
    expect(await run('rules', 'ls', '--username', 'robert')).toMatch(/deny +path +\/secret\n1 +allow +path +\/open/)
    await run('rules', 'rm', '0', '1', '--index', '0', '-u', 'robert')
    await run('cmds', 'add', 'after_upload', '--', 'notify', '--quiet')
    expect(await run('cmds', 'ls', '-e', 'upload')).toContain('notify --quiet')
    await run('cmds', 'rm', 'after_upload', '0')
    expect(JSON.parse(await run('cmds', 'ls', '--json'))).toMatchObject({ hooks: [] })
    const shown = JSON.parse(await run('config', 'cat', '--json')) as Shown
    expect(shown.settings).toMatchObject({
      signup: true,
      createUserDir: true,
      branding: { name: 'Ours' },
      defaults: { locale: 'fr', perm: { share: false } },
    })
    expect(shown.server).toMatchObject({ root: folder.at('files'), address: '0.0.0.0', tokenExpirationTime: '3h' })
    await run('config', 'export', 'old.json')
    expect(JSON.parse(await readFile(folder.at('old.json'), 'utf8'))).toMatchObject({
      settings: { signup: true },
      server: { address: '0.0.0.0' },
      auther: {},
    })
    await run('users', 'export', 'users.json')
    await run('users', 'rm', 'robert')
    await run('users', 'import', 'users.json', '--overwrite')
    expect((await run('users', 'ls', '--quiet')).trim().split('\n')).toHaveLength(2)
  })

  it('imports what "config export" wrote into a store without accounts', async () => {
    await using folder = await tempFolder()
    const line = ['-d', folder.at('d')]
    expect(await runHere([...line, 'config', 'import', oldFile('config.json')], { cwd: oldFile('.') })).toMatchObject({
      code: 0,
    })
    expect((await runHere([...line, 'config', 'cat'])).stdout).toContain('branding.name')
  })

  it('creates no store with an invalid setting', async () => {
    await using folder = await tempFolder({ 'files/': '' })
    const line = ['-d', folder.at('d'), 'config', 'init', '-r', folder.at('files')]
    expect(await runHere([...line, '--auth.method=proxy'])).toMatchObject({ code: 2 })
    expect(await runHere([...line, '--perm.download=false'])).toMatchObject({ code: 2 })
    expect(await runHere(line)).toMatchObject({ code: 0 })
    expect(await runHere(line)).toMatchObject({ code: 5 })
  })

  it.each([
    [['--disable-exec=false'], {}, '"EnableExec":true'],
    [[], { FB_DISABLE_EXEC: 'false' }, '"EnableExec":true'],
    [['--disableThumbnails', '--noauth'], {}, '"NoAuth":true'],
    [['-l', 'stderr'], { FB_BASE_URL: '/fb', FB_NOAUTH: 'true' }, '"BaseURL":"/fb"'],
    [['-l', 'stderr'], { FB_BASEURL: '/fb' }, '"BaseURL":"/fb"'],
    [['-c', 'fb.yaml'], {}, '"BaseURL":"/of-file"'],
  ])('starts a daemon with the flags %j and the variables %j', async (args, env, config) => {
    await using folder = await tempFolder({ 'files/': '', 'fb.yaml': 'baseURL: /of-file\ndatabase: x.db\n' })
    const line = ['-d', 'd', '-p', '0', '-r', 'files', '--json', ...args]
    await using daemon = startCli(line, { cwd: folder.path, env })
    const { url } = JSON.parse(await daemon.firstLine()) as { url: string }
    expect(await (await fetch(url)).text()).toContain(config)
  })

  it('finds its config file in the working folder, and starts the daemon without a command', async () => {
    await using folder = await tempFolder({ 'files/': '' })
    await writeFile(folder.at('.filebrowser.json'), '{"root": "files", "port": "0", "baseURL": "/found"}')
    await using daemon = startCli(['--database', 'd', '--json'], { cwd: folder.path })
    expect(JSON.parse(await daemon.firstLine())).toMatchObject({ url: expect.stringMatching(/\/found\/$/) as string })
  })

  it('may give a password hash at the first start', async () => {
    await using folder = await tempFolder({ 'files/': '' })
    const hash = (await runHere(['hash', '--bcrypt', 'a long passphrase'])).stdout.trim()
    const line = ['-d', 'd', '-p', '0', '-r', 'files', '--json']
    await using daemon = startCli(line, { cwd: folder.path, env: { FB_PASSWORD: hash, FB_USERNAME: 'eve' } })
    const { url } = JSON.parse(await daemon.firstLine()) as { url: string }
    const body = JSON.stringify({ username: 'eve', password: 'a long passphrase' })
    expect((await fetch(`${url}api/login`, { method: 'POST', body })).status).toBe(200)
  })

  it.each([[['--help']], [['help', 'users']], [['help', 'users', 'add']]])(
    'uses commands that are not in %j',
    async (args) => {
      expect((await runHere(args)).stdout).not.toMatch(
        /config (init|set|cat)|\bfind\b|\bupdate\b|\[password\]|^ +config /m,
      )
    },
  )

  it('may not give two passwords, or a database as the data folder', async () => {
    await using store = await testStore()
    const twice = ['users', 'add', 'bob', 'another passphrase', '--password', 'a third passphrase']
    expect(await store.run(twice)).toMatchObject({ code: 2, stdout: '' })
    // Otherwise it would find an installation of this machine.
    const env = { FB_DATABASE: oldFile('filebrowser.db'), FILEMGR_DATA: join(store.root, 'none') }
    const old = await runHere(['users', 'ls'], { env })
    expect(old).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('filemgr import') as string })
  })

  it('imports the database that FB_DATABASE still names', async () => {
    const database = oldFile('filebrowser.db')
    const line = ['import', database, '--dry-run', '--json']
    const { code, stdout } = await runHere(line, { env: { FB_DATABASE: database } })
    expect([code, (JSON.parse(stdout) as { data: string }).data]).toEqual([0, expect.not.stringContaining('.db')])
    await using folder = await tempFolder()
    const bare = await runCli([], {
      env: { FB_DATABASE: database, FILEMGR_DATA: folder.at('none') },
      enforcePermissions: true,
    })
    expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining(`filemgr import ${database}`)])
  })

  it.each([
    ['.filebrowser.json', {}],
    ['FB_DATABASE', { FB_DATABASE: 'old.db' }],
  ])('starts no empty installation while %s names a database', async (namedBy, env) => {
    await using folder = await tempFolder({ 'files/': '' })
    await copyFile(oldFile('filebrowser.db'), folder.at('old.db'))
    if (namedBy === '.filebrowser.json') await writeFile(folder.at(namedBy), '{"database": "old.db"}')
    const line = ['--data', 'd', 'serve', 'files', '--port', '0']
    const started = await runCli(line, { cwd: folder.path, env, enforcePermissions: true })
    expect(started).toMatchObject({ code: 2, stdout: '' })
    expect(started.stderr).toMatch(/^filemgr: [^\n]+\n$/)
    expect(started.stderr).toContain(`${namedBy}: ${folder.at('old.db')} is a File Browser database`)
    expect(await readdir(folder.path)).not.toContain('d')
    const moved = await runHere(['--data', 'd', 'import', 'old.db'], { cwd: folder.path, env })
    expect(moved.code).toBe(0)
    await using daemon = startCli([...line, '--json'], { cwd: folder.path, env })
    expect(JSON.parse(await daemon.firstLine())).toHaveProperty('url')
  })
})
