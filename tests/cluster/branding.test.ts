import { expect, it, vi } from 'vitest'
import { runCli } from '../helpers/cli/run-cli.ts'
import type { TestDaemon } from '../helpers/cli/test-daemon.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { type Machines, machinesOfFile, SOON } from './machines.ts'

const { postgres, machines } = machinesOfFile()

const formOf = (files: Readonly<Record<string, string>>) => {
  const form = new FormData()
  for (const [name, text] of Object.entries(files)) form.append('files', new Blob([text]), name)
  return form
}

const upload = async ({ ask }: Machines, daemon: TestDaemon, files: Readonly<Record<string, string>>) =>
  (await ask(daemon, 'api/branding', { method: 'POST', body: formOf(files) })).status

const textAt = async (daemon: TestDaemon, name: string) => {
  const reply = await fetch(new URL(`static/${name}`, daemon.url))
  return reply.status === 200 ? await reply.text() : reply.status
}

it('branding files sent to one daemon are served by all, and are in backups and copies of the store', async () => {
  await using cluster = await machines()
  const { one, other, ask, env } = cluster
  expect(await upload(cluster, one, { 'custom.css': 'a {}', 'hero.svg': '<svg/>' })).toBe(200)
  await vi.waitFor(async () => expect(await textAt(other, 'custom.css')).toBe('a {}'), SOON)
  expect(await upload(cluster, other, { 'custom.css': 'b {}' })).toBe(200)
  expect(await textAt(other, 'custom.css')).toBe('b {}')
  await vi.waitFor(async () => expect(await textAt(one, 'custom.css')).toBe('b {}'), SOON)
  expect(await textAt(one, 'img/hero.svg')).toBe('<svg/>')

  await using away = await tempFolder()
  const backup = away.at('backup.tar')
  expect(await runCli(['--data', away.at('here'), 'backup', 'create', backup], { env })).toMatchObject({ code: 0 })
  expect((await ask(other, 'api/branding/custom.css', { method: 'DELETE' })).status).toBe(204)
  expect((await ask(other, 'api/branding/none.svg', { method: 'DELETE' })).status).toBe(404)
  await vi.waitFor(async () => expect(await textAt(one, 'custom.css')).not.toBe('b {}'), SOON)

  const copied = await runCli(['store', 'copy', '--to', away.at('copy')], { env })
  expect(copied).toMatchObject({ code: 0 })
  const listed = await runCli(['--data', away.at('copy'), 'branding', 'ls', '--json'])
  expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'img/hero.svg' }])

  expect(await runCli(['--data', away.at('here'), 'restore', backup, '--yes'], { env })).toMatchObject({ code: 0 })
  for (const daemon of [one, other])
    await vi.waitFor(async () => expect(await textAt(daemon, 'custom.css')).toBe('b {}'), SOON)
})

it('branding files of a data folder are copied into a database with the store', async () => {
  await using folder = await tempFolder({ 'custom.css': 'c {}' })
  const data = ['--data', folder.at('data')]
  expect(await runCli([...data, 'init'])).toMatchObject({ code: 0 })
  expect(await runCli([...data, 'branding', 'add', folder.at('custom.css')])).toMatchObject({ code: 0 })
  const url = await postgres().database()
  expect(await runCli(['store', 'copy', '--from', folder.at('data'), '--to', url])).toMatchObject({ code: 0 })
  const listed = await runCli(['--data', folder.at('elsewhere'), 'branding', 'ls', '--json'], {
    env: { FILEMGR_STORE: url },
  })
  expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'custom.css', size: 4 }])
})
