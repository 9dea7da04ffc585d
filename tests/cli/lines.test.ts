import { execFile } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { programLine } from '../helpers/program.ts'
import { bareEnvironment, startCli } from '../helpers/run-cli.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const execute = promisify(execFile)

/** Lines of people's scripts, run by a shell as they stand. */
const LINES = [
  `filemgr --data d users add bob --password 'another passphrase' --scope /bob --perm.create=false --json`,
  `filemgr --data d users ls --json`,
  `filemgr --data d users set bob --locale fr --view-mode mosaic --lock-password`,
  `echo 'a third passphrase' | filemgr --data d users passwd bob --password-stdin`,
  `filemgr --data d settings set signup=true branding.name="Our files" tus.chunkSize=20MB`,
  `filemgr --data d settings get branding.name`,
  `filemgr --data d server set port=9000`,
  `filemgr --data d rules add /secret --deny`,
  `filemgr --data d rules add '\\.key$' --regex --deny --user bob`,
  `filemgr --data d why bob delete /secret/x`,
  `filemgr --data d sessions ls --json`,
  `filemgr --data d sessions revoke --user bob`,
]

it('runs the lines of scripts as they stand, beside a running daemon', async () => {
  await using folder = await tempFolder({ 'files/': '', 'bin/': '' })
  const words = programLine().map((word) => `'${word}'`)
  await writeFile(folder.at('bin/filemgr'), `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`)
  await chmod(folder.at('bin/filemgr'), 0o755)
  const environment = bareEnvironment()
  const env = { ...environment, PATH: `${folder.at('bin')}:${environment['PATH'] ?? ''}` }
  const shell = async (line: string) => (await execute('sh', ['-c', line], { cwd: folder.path, env })).stdout

  await shell(`filemgr --data d init --root ./files --username admin --password 'a long passphrase'`)
  await using daemon = startCli(['--data', 'd', 'serve', '--port', '0', '--json'], { cwd: folder.path })
  expect(JSON.parse(await daemon.firstLine())).toMatchObject({ event: 'listening', username: 'admin' })
  for (const line of LINES) await shell(line)
  expect(await shell('filemgr --data d settings get branding.name')).toBe('Our files\n')
  expect(JSON.parse(await shell('filemgr --data d users show bob --json'))).toMatchObject({
    locale: 'fr',
    lockPassword: true,
  })
})

it('takes the lines of scripts for File Browser: its flags, its letters, its bare start', async () => {
  await using folder = await tempFolder({ 'files/a.txt': 'a' })
  const line = ['-d', 'd', '-a', '127.0.0.1', '-p', '0', '-r', 'files', '-b', '/files', '--disableExec=false', '--json']
  await using daemon = startCli([...line, '--tokenExpirationTime', '1h'], { cwd: folder.path })
  const { url } = JSON.parse(await daemon.firstLine()) as { url: string }
  expect(url).toMatch(/\/files\/$/)
  expect(await (await fetch(url)).text()).toContain('"EnableExec":true')
})
