import { describe, expect, it, vi } from 'vitest'
import type { QuotaView } from '../../../src/domain/access/quota.ts'
import type { TrashItem } from '../../../src/domain/files/trash.ts'
import { MB, openWorld, remove, upload } from '../../helpers/api/quota-world.ts'

describe('the count of a quota', () => {
  it('refuses nothing that fits while others write during the counts', async () => {
    await using world = await openWorld({ quota: MB })
    const bob = await world.server.user('bob', { create: true, delete: true })
    await upload(world.ann, 'half', MB / 2)
    await upload(world.ann, 'gone', 100)
    await remove(world.ann, 'gone')
    const { storage } = world.server.context
    const openScope = storage.openScope.bind(storage)
    let counts = 0
    vi.spyOn(storage, 'openScope').mockImplementation(async (...path) => {
      const scope = await openScope(...path)
      const measure = scope.measure.bind(scope)
      scope.measure = async (...args) => {
        counts += 1
        if (counts > 1 && counts < 6) await remove(bob, `home/${counts - 1}`)
        if (counts < 5) await upload(bob, `home/${counts}`, 6)
        return await measure(...args)
      }
      return scope
    })
    expect((await upload(world.ann, 'fits', MB / 2 - 10)).statusCode).toBe(200)
    expect(counts).toBeGreaterThan(3)
  })

  it('stays when an administrator moves files beside the scope to the trash and back', async () => {
    await using world = await openWorld({ quota: MB }, { 'beside.txt': 'x' })
    const admin = await world.server.admin()
    await upload(world.ann, 'a', 10)
    const known = async () => (await admin.ask('GET', '/api/quotas')).json<QuotaView[]>()[0]?.used
    expect(await known()).toMatchObject({ bytes: 10 })
    expect((await remove(admin, 'beside.txt', '?trash=true')).statusCode).toBeLessThan(300)
    expect(await known()).toMatchObject({ bytes: 10 })
    const [item] = (await admin.ask('GET', '/api/trash')).json<TrashItem[]>()
    expect((await admin.ask('POST', `/api/trash/${item?.id ?? ''}`)).statusCode).toBeLessThan(300)
    expect(await known()).toMatchObject({ bytes: 10 })
  })
})
