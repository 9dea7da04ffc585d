import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { backupFolders, removeUnusedBranding } from '../../../src/store/disk/backup-folders.ts'
import { saveBackup } from '../../../src/store/disk/save-backup.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

async function* backup(text: string) {
  yield Buffer.from(text)
}

it('a backup removes the leftovers of a killed backup, but no file of a running one or of other programs', async () => {
  const others = {
    'other.tar.4711--0123456789ab.abcdef.tmp': '',
    'state.tar.mine.tmp': '',
    'state.tar.1-1-0.x.tmp': '',
  }
  await using folder = await tempFolder(others)
  const path = folder.at('state.tar')
  const script = fileURLToPath(new URL('./endless-backup.ts', import.meta.url))
  const child = spawn(process.execPath, [script, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  try {
    await once(child.stdout, 'data')
    const names = async () => (await readdir(folder.path)).filter((name) => !(name in others)).toSorted()
    await expect.poll(names).toHaveLength(1)
    const [unfinished = ''] = await names()
    expect(unfinished).toMatch(/^state\.tar\..*\.tmp$/)
    await saveBackup(path, backup('first'))
    expect(await names()).toEqual(['state.tar', unfinished])
    child.kill('SIGKILL')
    await closed
    await saveBackup(path, backup('second'))
    expect([await names(), await readFile(path, 'utf8')]).toEqual([['state.tar'], 'second'])
    expect(await readdir(folder.path)).toEqual(expect.arrayContaining(Object.keys(others)))
  } finally {
    child.kill('SIGKILL')
    await closed
  }
})

it('restored branding stays in a folder of its own until the store refers to it', async () => {
  await using folder = await tempFolder({ 'branding/custom.css': 'before' })
  const now = new Date(0)
  const name = await backupFolders(folder.path).stageBranding(new Map([['img/logo.svg', Buffer.from('<svg/>')]]), now)
  expect((await readdir(folder.path)).toSorted()).toEqual(['branding', name].toSorted())
  expect(await readFile(folder.at('branding/custom.css'), 'utf8')).toBe('before')
  expect(await readFile(folder.at(`${name}/img/logo.svg`), 'utf8')).toBe('<svg/>')
})

it('a start removes the branding folder of a killed restore after a day, and never the one in use', async () => {
  await using folder = await tempFolder({ 'branding/custom.css': 'uploaded', 'branding.mine/custom.css': 'not ours' })
  const stage = async (hour: number) =>
    await backupFolders(folder.path).stageBranding(new Map([['custom.css', Buffer.from('restored')]]), atHour(hour))
  const used = await stage(0)
  await stage(1)
  const young = await stage(10)
  await removeUnusedBranding(folder.path, used, atHour(30))
  expect((await readdir(folder.path)).toSorted()).toEqual(['branding', 'branding.mine', used, young].toSorted())
})

function atHour(hour: number): Date {
  return new Date(hour * 60 * 60 * 1000)
}
