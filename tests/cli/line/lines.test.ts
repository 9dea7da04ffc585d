import { execFile } from 'node:child_process'
import { chmod, copyFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { oldFile } from '../../helpers/samples/old-installation.ts'
import { programLine } from '../../helpers/cli/program.ts'
import { bareEnvironment, startCli } from '../../helpers/cli/run-cli.ts'
import { testStore } from '../../helpers/cli/test-store.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { matching } from '../../helpers/texts.ts'

const execute = promisify(execFile)

/** Commands as in scripts, which a shell runs unchanged in this order, and what each prints. */
const LINES: readonly (readonly [line: string, prints: unknown])[] = [
  [
    `filemgr --data d users add bob --password 'another passphrase' --scope /bob --perm.create=false --json`,
    { username: 'bob', scope: '/bob', perm: expect.objectContaining({ create: false, admin: false }) as unknown },
  ],
  [`filemgr --data d users ls --json`, [{ username: 'admin' }, { username: 'bob' }]],
  [`filemgr --data d users set bob --locale fr --view-mode mosaic --lock-password`, /^locale +fr$/m],
  [`echo 'a third passphrase' | filemgr --data d users passwd bob --password-stdin`, /bob/],
  [
    `filemgr --data d shares add /docs --user admin --expires 7d --share-password s3cret --json`,
    { path: '/docs', hash: matching(/^[\w-]{16,}$/) },
  ],
  [`filemgr --data d shares ls --json`, [{ path: '/docs' }]],
  [`filemgr --data d settings set signup=true branding.name="Our files" tus.chunkSize=20MB`, /Our files/],
  [`filemgr --data d settings get branding.name`, /^Our files\n$/],
  [`filemgr --data d server set port=9000`, /port +9000 +store/],
  [`filemgr --data d rules add /secret --deny`, /^0 +deny +path +\/secret$/m],
  [`filemgr --data d rules add /shared --permissions view,download --user bob`, /^0 +view, download +path +\/shared$/m],
  [`filemgr --data d rules add '\\.key$' --regex --deny --user bob`, /^0 +deny +expression +\\\.key\$$/m],
  [
    `filemgr --data d hooks add after_upload -- /usr/local/bin/notify --quiet`,
    /after_upload.*\/usr\/local\/bin\/notify --quiet/,
  ],
  [`filemgr --data d sessions ls --json`, []],
  [`filemgr --data d sessions revoke --user bob`, /^0 signed out\n$/],
  [`filemgr --data d why bob delete /secret/x`, /secret/],
  [`filemgr --data d import filebrowser.db --dry-run`, /Nothing was changed: this was a dry run/],
  [`filemgr --data d backup create state.tar`, /state\.tar/],
]

it.each(['beside a running daemon', 'when no daemon runs'])(
  'runs the commands of scripts unchanged and in order, %s',
  async (when) => {
    await using folder = await tempFolder({ 'files/docs/a.txt': 'a', 'bin/': '' })
    const { env, shell } = await shellIn(folder)
    await copyFile(oldFile('filebrowser.db'), folder.at('filebrowser.db'))

    await shell(`filemgr --data d init --root ./files --username admin --password 'a long passphrase'`)
    await using daemon = startCli(['--data', 'd', 'serve', '--port', '0', '--json'], { cwd: folder.path, env })
    expect(JSON.parse(await daemon.firstLine())).toMatchObject({ event: 'listening', username: 'admin' })
    if (when === 'when no daemon runs') {
      daemon.kill('SIGTERM')
      expect(await daemon.ended()).toMatchObject({ code: 0 })
    }
    for (const [line, prints] of LINES) {
      const output = await shell(line)
      if (prints instanceof RegExp) expect(output, line).toMatch(prints)
      else expect(JSON.parse(output), line).toMatchObject(prints as object)
    }
  },
)

it('serves a folder with --ephemeral', async () => {
  await using folder = await tempFolder({ 'a.txt': 'a' })
  await using daemon = startCli(['serve', '.', '--ephemeral', '--port', '0', '--json'], { cwd: folder.path })
  const line = JSON.parse(await daemon.firstLine()) as Record<string, unknown>
  expect(line).toMatchObject({
    event: 'listening',
    url: matching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
    pid: daemon.pid,
    username: 'admin',
    password: matching(/.{12,}/),
    token: matching(/./),
  })
})

it('accepts "config set" of File Browser', async () => {
  await using store = await testStore()
  const words = [
    'config',
    'set',
    '--signup',
    '--perm.create=false',
    '--branding.name',
    'Ours',
    '-p',
    '9000',
    '--viewMode',
    'list',
  ]
  expect((await store.run(words)).code).toBe(0)
  expect(await store.json(['settings', 'get'])).toMatchObject({
    signup: true,
    branding: { name: 'Ours' },
    defaults: { perm: { create: false, share: true }, viewMode: 'list' },
  })
  expect(await store.json(['server', 'get', 'port'])).toMatchObject({ value: 9000 })
  const refused = await store.run(['config', 'set', '--tus.chunkSize', '0', '--port', '9001'])
  expect([refused.code, await store.json(['server', 'get', 'port'])]).toMatchObject([2, { value: 9000 }])
})

it('accepts the long and one-letter flags of File Browser, without a command', async () => {
  await using folder = await tempFolder({ 'files/a.txt': 'a' })
  const line = ['-d', 'd', '-a', '127.0.0.1', '-p', '0', '-r', 'files', '-b', '/files', '--disableExec=false', '--json']
  await using daemon = startCli([...line, '--tokenExpirationTime', '1h'], { cwd: folder.path })
  const { url } = JSON.parse(await daemon.firstLine()) as { url: string }
  expect(url).toMatch(/\/files\/$/)
  expect(await (await fetch(url)).text()).toContain('"EnableExec":true')
})

/** A shell that finds filemgr by its name. */
async function shellIn(folder: Awaited<ReturnType<typeof tempFolder>>) {
  const words = programLine().map((word) => `'${word}'`)
  await writeFile(folder.at('bin/filemgr'), `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`)
  await chmod(folder.at('bin/filemgr'), 0o755)
  const environment = bareEnvironment()
  const env = { ...environment, PATH: `${folder.at('bin')}:${environment['PATH'] ?? ''}` }
  const shell = async (line: string) => (await execute('sh', ['-c', line], { cwd: folder.path, env })).stdout
  return { env, shell }
}
