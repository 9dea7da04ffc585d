import { describe, expect, it } from 'vitest'
import { cleanVirtualPath, ROOT, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import type { Client } from '../../../../../ui/src/api/client.ts'
import { planNewUploads } from '../../../../../ui/src/files/uploads/plan/plan-new-uploads.ts'
import type { UploadEntry } from '../../../../../ui/src/files/uploads/plan/upload-entry.ts'
import type { UploadItem } from '../../../../../ui/src/files/uploads/queue/upload-item.ts'
import type { UploadQueue } from '../../../../../ui/src/files/uploads/queue/upload-queue.ts'

const TIME = 1_500_000_000_000
const entry = (path: string, lastModified = TIME): UploadEntry => ({
  path,
  file: new File(['four'], path.slice(path.lastIndexOf('/') + 1), { lastModified }),
})
const missing = (id: number, source: string): UploadItem =>
  ({ id, source, target: ROOT, state: 'missing', size: 4, modified: TIME }) as UploadItem
const there = (path: string, modified = '2017-07-14T02:40:00Z') => ({ path, isDir: false, size: 4, modified })

/** Plans uploads to the root, where the folder "album" contains these files. */
async function plan(picked: readonly UploadEntry[], waiting: readonly UploadItem[], album: readonly object[] = []) {
  const given: number[] = []
  let asked = 0
  const client = {
    call: async ({ id }: { id: string }) =>
      id === 'files.recursive'
        ? album
        : { items: album.length === 0 ? [] : [{ name: 'album', isDir: true, size: 0, modified: '' }] },
  }
  const planned = await planNewUploads(picked, ROOT, {
    client: client as unknown as Client,
    queue: {
      snapshot: () => ({ items: waiting }) as unknown as ReturnType<UploadQueue['snapshot']>,
      supplyFile: (id: number) => void given.push(id),
    },
    askConflicts: async () => {
      asked += 1
      return () => 'keepBoth'
    },
  })
  return { planned: planned?.map(({ path }) => path), given, asked }
}

describe('chosen files', () => {
  it('are uploaded with their folders', async () => {
    const { planned } = await plan([entry('a'), entry('album/b')], [])
    expect(planned).toEqual(['album', 'a', 'album/b'])
  })

  it('resume interrupted uploads instead of starting again', async () => {
    expect(await plan([entry('a')], [missing(7, 'a')])).toEqual({ planned: undefined, given: [7], asked: 0 })
    const folders = [{ path: 'album', file: null }, entry('album/b')]
    expect(await plan(folders, [missing(7, 'album/b')])).toEqual({ planned: undefined, given: [7], asked: 0 })
  })

  it('are numbered if files with their names are on their way there', async () => {
    const underWay = (target: VirtualPath, path: string, state = 'active') =>
      ({ id: 1, kind: 'file', source: 'x', target, path, state, size: 1, modified: 0 }) as UploadItem
    const open = [
      underWay(ROOT, '/a'),
      underWay(cleanVirtualPath('/b'), '/b/b', 'waiting'),
      underWay(ROOT, '/c', 'done'),
    ]
    expect((await plan([entry('a'), entry('b'), entry('c')], open)).planned).toEqual(['a(1)', 'b', 'c'])
  })

  it('of an interrupted folder cause no conflict if they are already uploaded', async () => {
    const picked = [entry('album/a'), entry('album/b'), entry('album/c')]
    const found = await plan(picked, [missing(7, 'album/b')], [there('/album/a')])
    expect(found).toEqual({ planned: ['album', 'album/c'], given: [7], asked: 0 })
  })

  it('cause a conflict with other files, or without an interrupted upload', async () => {
    const other = there('/album/a', '2017-07-14T02:41:00Z')
    const picked = [entry('album/a'), entry('album/b')]
    expect(await plan(picked, [missing(7, 'album/b')], [other])).toMatchObject({
      asked: 1,
      planned: ['album', 'album/a(1)'],
    })
    expect(await plan([entry('album/a')], [], [there('/album/a')])).toMatchObject({ asked: 1 })
  })
})
