import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { StagedNames } from '../../src/storage/reserved-names.ts'
import { openS3Storage } from '../../src/storage/s3/s3-storage.ts'
import { type Scope, type Storage, storagePathOf } from '../../src/storage/storage.ts'
import { NEW, path } from '../contract/storage/view.ts'
import { proxiedS3OfFile } from '../helpers/cluster/server-of-file.ts'

const STAGER = { installation: '0123abcd', run: '89ef4567' }
/** Bytes: more than are sent by one request. */
const LARGE = 17 * 1024 * 1024

const s3 = proxiedS3OfFile()

type Work = (scope: Scope, storage: Storage) => Promise<unknown>

/** Works while the server refuses all requests from this one on, and looks at what is hidden after the sweep of the next run. */
async function leftBy(work: Work, first: number) {
  const prefix = `${randomUUID()}/`
  const staged = new StagedNames(STAGER)
  await using storage = openS3Storage({ bucket: s3().server.bucket, prefix }, { staged })
  const scope = await storage.openScope(storagePathOf(path('/')), 'inside')
  let count = 0
  s3().proxy.before = (_, response) => {
    count += 1
    if (count >= first) response.writeHead(503).end()
  }
  await work(scope, storage).catch(() => undefined)
  s3().proxy.before = () => undefined
  const hidden = () => readdirSync(join(s3().server.folder, prefix)).filter((name) => name.endsWith('.fm-tmp'))
  const next = new StagedNames({ ...STAGER, run: '00000000' }, !staged.isClean)
  await using later = openS3Storage({ bucket: s3().server.bucket, prefix }, { staged: next })
  // A file, so that there is a folder.
  await (await later.openScope(storagePathOf(path('/')), 'inside')).makeFolder(path('/there'), 0o750)
  await later.sweep()
  return { isOver: count < first, hidden: hidden() }
}

/** With the number of requests between two that are tried. */
it.each<[string, Work, number]>([
  ['finding out what the server can do', async (_, storage) => await storage.conditions(), 1],
  [
    'a large file',
    async (scope) => await scope.write(path('/big'), Readable.from([Buffer.alloc(LARGE)]), { ...NEW, length: LARGE }),
    1,
  ],
  [
    'a placement',
    async (scope) => {
      await using folder = await scope.stageFolder(path('/'), {})
      for (const name of ['a', 'd/b']) await folder.write(path(`/${name}`), Readable.from([name]), NEW)
      const items = ['a', 'd'].map((name) => ({ from: name, to: name }))
      await folder.place(items, { replace: true })
    },
    2,
  ],
])('nothing hidden stays for ever, whenever %s is broken off', async (_, work, stride) => {
  const wrong: unknown[] = []
  for (let [first, isOver] = [1, false]; !isOver; first += stride) {
    const left = await leftBy(work, first)
    isOver = left.isOver
    if (left.hidden.length > 0) wrong.push({ first, ...left })
  }
  expect(wrong).toEqual([])
})
