import { symlinkSync } from 'node:fs'
import { chmod, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { getAttributeSync, setAttributeSync } from '@napi-rs/xattr'
import { expect, it } from 'vitest'
import { folderOnOtherDisk } from '../../helpers/disks/other-disk.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

/** Root may write to read-only files, so only a daemon without that power shows that they are copied. */
it('a file that its owner may not write to keeps its tags when it is copied or moved, and its mode in a free place', async () => {
  await using served = await tempFolder({ 'a.txt': 'a', 'old.txt': 'old' })
  for (const name of ['a.txt', 'old.txt']) {
    setAttributeSync(served.at(name), 'user.tag', name)
    await chmod(served.at(name), name === 'a.txt' ? 0o444 : 0o640)
  }
  using other = folderOnOtherDisk()
  symlinkSync(other.path, served.at('disk'))
  const args = ['--follow-external-symlinks']
  await using daemon = await startTestDaemon({ root: served.path, enforcePermissions: true, args })
  const ask = async (action: string, target: string) => {
    const query = new URLSearchParams({ action, destination: target, override: 'true' })
    return (await daemon.fetch(`api/resources/a.txt?${query}`, { method: 'PATCH' })).status
  }
  const state = async (file: string) => [
    (await stat(file)).mode & 0o777,
    getAttributeSync(file, 'user.tag')?.toString(),
  ]
  for (const name of ['copy.txt', 'disk/copy.txt', 'old.txt'] as const) {
    expect([name, await ask('copy', `/${name}`)]).toEqual([name, 200])
    expect([name, ...(await state(served.at(name)))]).toEqual([name, name === 'old.txt' ? 0o640 : 0o444, 'a.txt'])
  }
  expect(await ask('rename', '/disk/moved.txt')).toBe(200)
  expect(await state(join(other.path, 'moved.txt'))).toEqual([0o444, 'a.txt'])
})
