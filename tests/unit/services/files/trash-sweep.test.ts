import { describe, expect, it } from 'vitest'
import { createTrashSweep } from '../../../../src/services/files/trash.ts'
import { make } from '../../../helpers/make.ts'
import { testContext } from '../../../helpers/test-context.ts'

const DAY = 24 * 60 * 60 * 1000

describe('the sweep of the trash', () => {
  it('removes what was there for longer than the setting says, in every scope', async () => {
    await using context = await testContext({
      users: [make.admin(), make.user({ scope: '/home' }), make.user({ username: 'gone', scope: '/missing' })],
      files: { a: '', 'home/b': '', 'home/c': '' },
      settings: { trash: { days: 7 } },
    })
    const { transfers, trash } = context.services
    const [admin, bob] = [await context.actor('admin'), await context.actor('bob')]
    await transfers.remove(admin, '/a', true)
    await transfers.remove(bob, '/b', true)
    context.clock.move(4 * DAY)
    await transfers.remove(bob, '/c', true)
    context.clock.move(4 * DAY)
    expect(await createTrashSweep({ ...context, quotas: context.services.quotas })()).toBe(2)
    expect(await trash.list(admin)).toEqual([])
    expect((await trash.list(bob)).map(({ path }) => path)).toEqual(['/c'])
  })

  it('continues after a scope that it cannot sweep, and reports that at the end', async () => {
    await using context = await testContext({
      users: [make.admin({ scope: '/file' }), make.user({ scope: '/home' })],
      files: { file: '', 'home/a': '' },
      settings: { trash: { days: 7 } },
    })
    const bob = await context.actor('bob')
    await context.services.transfers.remove(bob, '/a', true)
    context.clock.move(8 * DAY)
    await expect(createTrashSweep({ ...context, quotas: context.services.quotas })()).rejects.toThrow(
      '1 could not be swept',
    )
    expect(await context.services.trash.list(bob)).toEqual([])
  })

  it('removes nothing when the trash is switched off', async () => {
    await using context = await testContext({ files: { a: '' } })
    const admin = await context.actor('admin')
    await context.services.transfers.remove(admin, '/a', true)
    context.clock.move(100 * DAY)
    await context.store.update((draft) => {
      draft.settings.trash.days = 0
    })
    expect(await createTrashSweep({ ...context, quotas: context.services.quotas })()).toBe(0)
    expect(await context.services.trash.list(admin)).toHaveLength(1)
  })
})
