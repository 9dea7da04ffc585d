import { execFileSync } from 'node:child_process'
import { readdir, rmdir, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { mountNewDisk } from '../../helpers/disks/loop-disk.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'

const isRoot = process.getuid?.() === 0
/** More than the threads for system calls. */
const UPLOADS = 20

/** Mounts a small disk at a path. While it is frozen, writes to it wait, as on a failing disk. */
function freezableDisk(image: string, path: string) {
  mountNewDisk(image, path)
  let isFrozen = false
  const thaw = () => {
    if (isFrozen) execFileSync('fsfreeze', ['-u', path])
    isFrozen = false
  }
  return {
    thaw,
    freeze(): Disposable {
      execFileSync('fsfreeze', ['-f', path])
      isFrozen = true
      return { [Symbol.dispose]: thaw }
    },
    async [Symbol.asyncDispose]() {
      execFileSync('umount', ['-l', path])
      await rmdir(path)
    },
  }
}

it.runIf(isRoot)('a disk that does not answer delays only the requests that use it (as root)', async () => {
  await using folder = await tempFolder({ 'root/good.txt': 'good' })
  await using disk = freezableDisk(folder.at('disk.img'), folder.at('root/frozen'))
  await writeFile(folder.at('root/frozen/old.txt'), 'old')
  await using daemon = await startTestDaemon({ root: folder.at('root') })
  const post = async (path: string) => await daemon.fetch(`api/resources/${path}`, { method: 'POST', body: 'bytes' })
  // Not even a killed process ends before the disk answers.
  using _freeze = disk.freeze()
  const stuck = Array.from({ length: UPLOADS }, async (_, index) => await post(`frozen/${index}.txt`))
  let answered = 0
  for (const upload of stuck) void upload.then(() => (answered += 1))

  // Requests that do not use that disk are answered while the uploads wait.
  const credentials = JSON.stringify({ username: daemon.username, password: daemon.password })
  const signedIn = await fetch(`${daemon.url}api/login`, { method: 'POST', body: credentials })
  expect(signedIn.status).toBe(200)
  expect((await fetch(`${daemon.url}health`)).status).toBe(200)
  expect(await (await daemon.fetch('api/raw/good.txt')).text()).toBe('good')
  expect((await post('new.txt')).status).toBe(200)
  expect((await daemon.fetch('api/resources/')).status).toBe(200)
  expect(answered).toBe(0)

  for (const { status, headers } of await Promise.all(stuck))
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true])

  disk.thaw()
  expect((await post('frozen/late.txt')).status).toBe(200)
  const names = async () => (await readdir(folder.at('root/frozen'))).toSorted()
  await expect.poll(names).toEqual(['late.txt', 'lost+found', 'old.txt'])
})
