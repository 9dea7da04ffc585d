import { describe, expect, it } from 'vitest'
import { startCli } from '../../helpers/cli/run-cli.ts'
import { runHere } from '../../helpers/cli/run-here.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { testStore } from '../../helpers/cli/test-store.ts'
import { containing } from '../../helpers/texts.ts'

type Flags = Readonly<Record<string, string>>

/** Flags of `addServerFlags` in File Browser 2.63, with values that scripts give them. */
const SERVER: Flags = {
  log: 'stderr',
  cert: '',
  key: '',
  root: 'files',
  baseURL: '/fb',
  tokenExpirationTime: '2h',
  disableThumbnails: 'true',
  disablePreviewResize: 'T',
  disableExec: 'true',
  disableTypeDetectionByHeader: '1',
  disableImageResolutionCalc: 'false',
  followExternalSymlinks: 'f',
}

/** Flags of the root command only. */
const ROOT: Flags = {
  noauth: 'false',
  username: 'eve',
  password: 'a long passphrase',
  socketPerm: '0666',
  cacheDir: '',
  redisCacheUrl: 'redis://cache:6379',
  imageProcessors: '4',
}

/** Flags of `addUserFlags`. */
const USER: Flags = {
  'perm.admin': 'false',
  'perm.execute': 'true',
  'perm.create': 'true',
  'perm.rename': 'true',
  'perm.modify': 'true',
  'perm.delete': 'true',
  'perm.share': 'true',
  'perm.download': 'true',
  'sorting.by': 'name',
  'sorting.asc': 'false',
  lockPassword: 'false',
  commands: 'git,ls',
  scope: '.',
  locale: 'en',
  viewMode: 'list',
  singleClick: 'false',
  redirectAfterCopyMove: 'false',
  dateFormat: 'false',
  hideDotfiles: 'false',
  aceEditorTheme: '',
}

/** Flags of `addConfigFlags` beside those. */
const CONFIG: Flags = {
  signup: 'false',
  hideLoginButton: 'false',
  createUserDir: 'true',
  minimumPasswordLength: '12',
  shell: '/bin/sh -c',
  fileMode: '0o640',
  dirMode: '0750',
  'auth.method': 'json',
  'auth.header': '',
  'auth.command': '',
  'auth.logoutPage': '',
  'recaptcha.host': 'https://www.google.com',
  'recaptcha.key': '',
  'recaptcha.secret': '',
  'branding.name': 'Ours',
  'branding.theme': 'dark',
  'branding.color': '#336699',
  'branding.files': '',
  'branding.disableExternal': 'true',
  'branding.disableUsedPercentage': 'true',
  'tus.chunkSize': '10485760',
  'tus.retryCount': '5',
}

/** Spellings before 2.43, from its list `flagNamesMigrations`. */
const FORMER: Flags = {
  fileMode: 'file-mode',
  dirMode: 'dir-mode',
  hideLoginButton: 'hide-login-button',
  createUserDir: 'create-user-dir',
  minimumPasswordLength: 'minimum-password-length',
  socketPerm: 'socket-perm',
  disableThumbnails: 'disable-thumbnails',
  disablePreviewResize: 'disable-preview-resize',
  disableExec: 'disable-exec',
  disableTypeDetectionByHeader: 'disable-type-detection-by-header',
  imageProcessors: 'img-processors',
  cacheDir: 'cache-dir',
  redisCacheUrl: 'redis-cache-url',
  tokenExpirationTime: 'token-expiration-time',
  baseURL: 'baseurl',
}

const presentForm = (flags: Flags) => Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
const formerForm = (flags: Flags) => Object.entries(flags).map(([name, value]) => `--${FORMER[name] ?? name}=${value}`)
const FORMS = [
  ['the present spelling', presentForm],
  ['the former spelling', formerForm],
] as const

/** The name of the variable, as File Browser makes it of a flag. */
const variable = (name: string) =>
  `FB_${name
    .replace(/([a-z])(?=[A-Z])/g, '$1_')
    .replaceAll('-', '_')
    .toUpperCase()}`

const WARNING = (named: string) =>
  new RegExp(`^filemgr: no effect here: ${named}; several daemons [^\n]*PostgreSQL`, 'gm')

describe.each(FORMS)('no flag of File Browser is refused, in %s,', (_, inForm) => {
  it('by the bare command', async () => {
    await using folder = await tempFolder({ 'files/': '' })
    const line = ['-d', 'd', '-a', '127.0.0.1', '-p', '0', ...inForm(SERVER), ...inForm(ROOT), '--json']
    await using daemon = startCli(line, { cwd: folder.path })
    expect(JSON.parse(await daemon.firstLine())).toMatchObject({
      url: containing('/fb/'),
      username: 'eve',
    })
    daemon.kill('SIGTERM')
    expect((await daemon.ended()).stderr.match(WARNING('--redis-cache-url'))).toHaveLength(1)
  })

  it('as a variable of the bare command', async () => {
    await using folder = await tempFolder({ 'files/': '' })
    const names = inForm({ ...SERVER, ...ROOT }).map((flag) => /^--(.*?)=(.*)$/.exec(flag) ?? [])
    const env = Object.fromEntries(names.map(([, name = '', value = '']) => [variable(name), value]))
    await using daemon = startCli(['--json'], {
      cwd: folder.path,
      env: { ...env, FB_DATABASE: 'd', FB_ADDRESS: '127.0.0.1', FB_PORT: '0' },
    })
    expect(JSON.parse(await daemon.firstLine())).toMatchObject({ url: containing('/fb/'), username: 'eve' })
    daemon.kill('SIGTERM')
    expect((await daemon.ended()).stderr.match(WARNING('FB_REDIS_CACHE_URL'))).toHaveLength(1)
  })

  it('in a config file', async () => {
    await using folder = await tempFolder({ 'files/': '' })
    const lines = inForm({ ...SERVER, ...ROOT, address: '127.0.0.1', port: '0', database: 'fb.db' })
    const text = lines.map((flag) => flag.replace(/^--(.*?)=(.*)$/, '"$1": "$2"')).join('\n')
    await folder.fill({ 'fb.yaml': `${text}\n` })
    await using daemon = startCli(['-d', 'd', '-c', 'fb.yaml', '--json'], { cwd: folder.path })
    expect(JSON.parse(await daemon.firstLine())).toMatchObject({ url: containing('/fb/'), username: 'eve' })
    daemon.kill('SIGTERM')
    expect((await daemon.ended()).stderr.match(WARNING('redisCacheUrl in [^\n]*fb.yaml'))).toHaveLength(1)
  })

  it('by "config", "users", "rules" and "cmds"', async () => {
    await using folder = await tempFolder({ 'files/': '' })
    const run = async (...words: string[]) => {
      const { code, stderr, stdout } = await runHere(['--database', 'd', ...words], { cwd: folder.path })
      expect({ words, code, refusal: code === 0 ? '' : stderr }).toEqual({ words, code: 0, refusal: '' })
      return { stderr, stdout }
    }
    const settings = inForm({ ...SERVER, ...USER, ...CONFIG })
    await run('config', 'init', '--address=127.0.0.1', '--port=8080', '--socket=', ...settings)
    await run('users', 'add', 'admin', 'a long passphrase', '--perm.admin')
    await run('config', 'set', '-a', '127.0.0.1', '-p', '8080', '-s', ...settings)
    const meaningless = await run('config', 'set', ...inForm({ imageProcessors: '4', redisCacheUrl: 'redis://x' }))
    expect(meaningless.stderr.match(WARNING('--redis-cache-url'))).toHaveLength(1)
    const enabled = await run('config', 'set', '--disableExec=false')
    expect(enabled.stderr).toMatch(/^filemgr: no effect here: --disable-exec=false; [^\n]*serve --enable-exec"$/m)
    expect((await run('server', 'get', 'enableExec')).stdout).toContain('false')
    expect((await run('server', 'get', 'imageProcessors')).stdout).toContain('4')
    await run('users', 'add', 'bob', 'another passphrase', ...inForm(USER))
    await run('users', 'update', 'bob', '-u', 'rob', '-p', 'a third passphrase', ...inForm(USER))
    await run('users', 'update', 'rob', '--username', 'bob', '--password', 'another passphrase')
    await run('users', 'export', 'users.json')
    await run('users', 'import', 'users.json', '--overwrite', '--replace')
    await run('rules', 'add', '/a', '--allow', '--username', 'bob')
    await run('rules', 'add', 'b', '--regex', '--id', '2')
    for (const owner of [['-u', 'bob'], ['-u=bob'], ['-ubob'], ['--username=bob'], ['-i', '2'], ['-i2'], ['--id=2']]) {
      expect((await run('rules', ...owner, 'ls')).stdout).toContain('/a')
      expect((await run('rules', 'ls', ...owner)).stdout).toContain('/a')
    }
    await run('rules', 'rm', '1', '--index', '1', '--username=bob')
    await run('rules', '--username=bob', 'rm', '0', '--index=0')
    await run('cmds', 'add', 'after_save', 'true')
    await run('cmds', 'ls', '--event', 'save')
    await run('cmds', 'rm', 'after_save', '0')
    await run('config', 'export', 'config.json')
    await run('config', 'cat')
  })
})

describe('the other commands of File Browser', () => {
  it.each([
    [['hash', 'a password'], /^\$argon2id\$/],
    [['version'], /^filemgr /],
    [['--version'], /^filemgr /],
    [['completion', 'bash', '--no-descriptions'], /_filemgr/],
    [['completion', 'zsh', '--no-descriptions'], /_filemgr/],
    [['completion', 'fish', '--no-descriptions'], /__filemgr/],
  ])('%j is taken', async (words, output) => {
    const { code, stdout } = await runHere(words)
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(output) as string })
  })

  it('"upgrade" changes nothing and says what to use instead', async () => {
    await using store = await testStore()
    const before = await store.saved()
    const result = await store.run(['upgrade', '--old.database', 'v1.db', '--old.config=v1.json'])
    expect(result).toMatchObject({ code: 0, stdout: '', stderr: containing('filemgr import') })
    expect(result.stderr).toMatch(/^filemgr: [^\n]+\n$/)
    expect(await store.saved()).toBe(before)
  })
})
