import { describe, expect, it } from 'vitest'
import { type Actor, OPERATOR } from '../../../../src/domain/accounts/actor.ts'
import type { UploadRecord } from '../../../../src/domain/uploads/upload.ts'
import {
  leaseOf,
  OpenUploads,
  remainderOf,
  requireOwnUpload,
  type Takeover,
  withFamily,
} from '../../../../src/services/uploads/open-uploads.ts'
import { memoryRecords } from '../../../../src/store/records/records.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'

function recordOf(index: number, fields: Partial<UploadRecord> = {}): UploadRecord {
  return {
    id: String(index).padStart(16, '0'),
    userId: 1,
    scope: '/',
    path: `/${index}`,
    length: 10,
    override: false,
    staged: '.abcdefghijkl.fm-tmp',
    created: index,
    ...fields,
  }
}

const LEASE = { fence: 1 }

/** Takes a slot, then saves the record, as the service does. */
async function begin(open: OpenUploads, record: UploadRecord): Promise<void> {
  using _slot = await open.takeSlot(record)
  await open.save(record, LEASE)
}

const many = (count: number) => Array.from({ length: count }, (_, index) => index)
const TOO_MANY = errorLike('RATE_LIMITED')

describe('the unfinished uploads', () => {
  it('are no more than 32 of one user, however many are begun at the same moment', async () => {
    const open = new OpenUploads(memoryRecords())
    const results = await Promise.allSettled(many(100).map(async (index) => await begin(open, recordOf(index))))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(32)
    expect(await open.all()).toHaveLength(32)
  })

  it('are no more than 1,000 of all, however many are begun at the same moment', async () => {
    const open = new OpenUploads(memoryRecords())
    const all = many(1200).map((index) => recordOf(index, { userId: index % 50 }))
    await Promise.allSettled(all.map(async (record) => await begin(open, record)))
    expect(await open.all()).toHaveLength(1000)
  })

  it('are no more than 32 from one address by all links, and leave room for others', async () => {
    const open = new OpenUploads(memoryRecords())
    const sent = (index: number, sender: string) => recordOf(index, { link: `link${index % 9}`, sender })
    await Promise.allSettled(many(1024).map(async (index) => await begin(open, sent(index, 'a'))))
    expect(await open.all()).toHaveLength(32)
    await begin(open, sent(2000, 'b'))
    await begin(open, recordOf(2001))
  })

  it('are no more than 500 by links, so that users can begin others', async () => {
    const open = new OpenUploads(memoryRecords())
    const sent = (index: number) => recordOf(index, { link: `link${index % 20}`, sender: `from ${index}` })
    await Promise.allSettled(many(1024).map(async (index) => await begin(open, sent(index))))
    expect(await open.all()).toHaveLength(500)
    await begin(open, recordOf(2000))
  })

  it('make room for others when they are finished or given up', async () => {
    const open = new OpenUploads(memoryRecords())
    for (const index of many(32)) await begin(open, recordOf(index))
    await expect(begin(open, recordOf(40))).rejects.toThrow(TOO_MANY)
    await open.save(recordOf(0, { finished: 5 }), LEASE)
    await begin(open, recordOf(40))
    await expect(begin(open, recordOf(41))).rejects.toThrow(TOO_MANY)
    await open.drop(recordOf(1))
    await begin(open, recordOf(41))
  })

  it('make room, too, when the command line removes them meanwhile', async () => {
    const records = memoryRecords<UploadRecord>()
    const open = new OpenUploads(records)
    for (const index of many(32)) await begin(open, recordOf(index))
    await records.remove(recordOf(3).id)
    await begin(open, recordOf(40))
    expect(await open.find(recordOf(3))).toBeUndefined()
  })

  it('may be begun again even if there are 32', async () => {
    const open = new OpenUploads(memoryRecords())
    for (const index of many(32)) await begin(open, recordOf(index))
    await begin(open, recordOf(7, { id: 'x'.repeat(16) }))
    expect((await open.find(recordOf(7)))?.id).toBe('x'.repeat(16))
  })

  it('keep a slot only while it is held', async () => {
    const open = new OpenUploads(memoryRecords())
    for (const index of many(31)) await begin(open, recordOf(index))
    {
      using _slot = await open.takeSlot(recordOf(50))
      await expect(open.takeSlot(recordOf(51))).rejects.toThrow(TOO_MANY)
    }
    using _slot = await open.takeSlot(recordOf(51))
  })

  it('of one file are distinguished after a start: the newer is current and the older is stale', async () => {
    const records = memoryRecords<UploadRecord>()
    const [older, newer] = [recordOf(1, { path: '/a' }), recordOf(2, { path: '/a' })]
    await records.put(newer)
    await records.put(older)
    const open = new OpenUploads(records)
    expect((await open.find(newer))?.id).toBe(newer.id)
    expect([await open.isCurrent(older), await open.isCurrent(newer)]).toEqual([false, true])
    await open.drop(older)
    expect(await open.all()).toEqual([newer])
    expect(await records.list()).toEqual([newer])
  })

  it('are read again when reading them failed', async () => {
    const records = memoryRecords<UploadRecord>()
    await records.put(recordOf(1))
    let isBroken = true
    const broken = {
      ...records,
      list: async () => (isBroken ? await Promise.reject(new Error('EIO')) : await records.list()),
    }
    const open = new OpenUploads(broken)
    await expect(open.all()).rejects.toThrow('EIO')
    isBroken = false
    expect(await open.all()).toHaveLength(1)
  })
})

it('visitors who send files of one name do not stop each other, as a user who begins again does', () => {
  const leases = (fields: Partial<UploadRecord>) =>
    new Set([1, 2].map((id) => leaseOf({ ...recordOf(id, fields), path: '/a' })))
  expect([leases({}).size, leases({ link: 'link' }).size]).toEqual([1, 2])
})

it('a thousand finished uploads of visitors push out none of users', async () => {
  const open = new OpenUploads(memoryRecords())
  for (const index of many(1002)) {
    const finished = recordOf(index, { finished: index, ...(index > 0 && { link: 'link' }) })
    await open.save(finished, LEASE)
    await open.rememberFinished(finished)
  }
  expect(await open.find(recordOf(0))).toBeDefined()
  expect(await open.find(recordOf(1, { link: 'link' }))).toBeUndefined()
  expect(open.hasPlaced(recordOf(1001, { link: 'link' }))).toBe(true)
  expect(await open.all()).toHaveLength(1001)
})

it('the last thousand finished uploads are remembered, on the disk, too', async () => {
  const records = memoryRecords<UploadRecord>()
  const open = new OpenUploads(records)
  for (const index of many(1001)) {
    const finished = recordOf(index, { finished: index })
    await open.save(finished, LEASE)
    await open.rememberFinished(finished)
  }
  expect(await records.list()).toHaveLength(1000)
  expect(await open.find(recordOf(0))).toBeUndefined()
  expect(await open.find(recordOf(1000))).toBeDefined()
  expect([0, 1000].map((index) => open.hasPlaced(recordOf(index)))).toEqual([false, true])
})

describe('the bytes of a part that breaks off', () => {
  const lease = (isLost: boolean, reason?: Takeover) => ({
    isLost,
    signal: reason === undefined ? new AbortController().signal : AbortSignal.abort(reason),
  })

  it('are left alone by a daemon that has lost the upload', () => {
    expect(remainderOf(lease(true), 5)).toBe('leave')
  })

  it('stay, unless another request sends them again from the same offset', () => {
    expect(remainderOf(lease(false), 5)).toBe('keep')
    expect(remainderOf(lease(false, { kind: 'resume', from: 5 }), 5)).toBe('drop')
    expect(remainderOf(lease(false, { kind: 'resume', from: 6 }), 5)).toBe('keep')
    expect(remainderOf(lease(false, { kind: 'resume' }), 5)).toBe('keep')
    expect(remainderOf(lease(false, { kind: 'anew' }), 5)).toBe('keep')
  })
})

describe('a session that has expired', () => {
  const actorOf = (isExpired: boolean) => ({ kind: 'user', isExpired, session: { family: 'mine' } }) as unknown as Actor
  const owned = recordOf(1, { families: ['mine'] })

  it('may go on with its own uploads, and with no others', () => {
    requireOwnUpload(actorOf(true), owned)
    for (const other of [undefined, recordOf(1), recordOf(1, { families: ['other'] })])
      expect(() => requireOwnUpload(actorOf(true), other)).toThrow(errorLike('UNAUTHENTICATED'))
  })

  it('is needed for nothing else', () => {
    requireOwnUpload(actorOf(false), undefined)
    requireOwnUpload(OPERATOR, undefined)
  })

  it('owns an upload that its device began or continued', () => {
    const continued = withFamily(recordOf(1), actorOf(false))
    expect(continued.families).toEqual(['mine'])
    expect(withFamily(continued, actorOf(false))).toBe(continued)
    expect(withFamily(continued, OPERATOR)).toBe(continued)
  })
})
