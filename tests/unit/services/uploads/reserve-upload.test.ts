import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { UploadRecord } from '../../../../src/domain/uploads/upload.ts'
import { createReserving } from '../../../../src/services/uploads/reserve-upload.ts'
import { OpenUploads } from '../../../../src/services/uploads/open-uploads.ts'
import { MemoryLeases } from '../../../../src/store/memory-leases.ts'
import { memoryRecords } from '../../../../src/store/records/records.ts'
import type { Records } from '../../../../src/store/store.ts'
import { testContext, type TestContext } from '../../../helpers/test-context.ts'

/** Records of a database, which answers after a while. */
function slowRecords(): Records<UploadRecord> {
  const records = memoryRecords<UploadRecord>()
  let calls = 0
  return {
    ...records,
    list: async (where) => {
      const found = await records.list(where)
      calls += 1
      await pause(calls % 4)
      return found
    },
  }
}

/** Begins uploads by a link at several daemons with one store. */
function daemons({ services, store }: TestContext) {
  const records = slowRecords()
  const leases = new MemoryLeases()
  const each = [1, 2, 3].map(() => {
    const openUploads = new OpenUploads(records)
    const { quotas } = services
    return createReserving({ openUploads, leases, quotas, unfinished: { makeRoom: async () => undefined } })
  })
  const [owner] = store.snapshot().users
  if (owner === undefined) throw new Error('there is no user')
  const begin = async (index: number, fields: Partial<UploadRecord>): Promise<void> => {
    const record: UploadRecord = {
      id: String(index).padStart(16, '0'),
      userId: owner.id,
      scope: '/',
      path: `/${index}`,
      length: 10,
      override: false,
      staged: '.abcdefghijkl.fm-tmp',
      created: index,
      link: 'link',
      ...fields,
    }
    await using lease = await leases.takeOver(`upload/${index}`, {})
    const admit = each[index % each.length] ?? each[0]
    await using reservation = await admit?.(owner, record, lease)
    await reservation?.settle({ bytes: record.length, files: 1 })
  }
  return { records, begin }
}

describe('uploads of visitors that begin at several daemons at the same moment', () => {
  it('are no more than one address may have', async () => {
    await using context = await testContext()
    const { records, begin } = daemons(context)
    await Promise.allSettled(Array.from({ length: 60 }, async (_, n) => await begin(n, { sender: 'a' })))
    expect(await records.list()).toHaveLength(32)
  })

  it('are no more than one link may have', async () => {
    await using context = await testContext()
    const { records, begin } = daemons(context)
    await Promise.allSettled(Array.from({ length: 160 }, async (_, n) => await begin(n, { sender: `from ${n}` })))
    expect(await records.list()).toHaveLength(128)
  })

  it('reserve no more than half of the quota', async () => {
    await using context = await testContext()
    await context.store.update((draft, { users }) => {
      draft.users = users.map((user) => ({ ...user, quota: 200 }))
    })
    const { records, begin } = daemons(context)
    await Promise.allSettled(Array.from({ length: 30 }, async (_, n) => await begin(n, { sender: `from ${n}` })))
    expect(await records.list()).toHaveLength(10)
  })
})
