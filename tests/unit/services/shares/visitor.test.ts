import { expect, it } from 'vitest'
import { testContext } from '../../../helpers/test-context.ts'

it('visitors of a share do not use up what its owner may download at once', async () => {
  await using context = await testContext({ files: { 'docs/a.txt': 'a' } })
  const { shares, visits, downloads } = context.services
  const admin = await context.actor('admin')
  const { hash } = await shares.create(admin, '/docs', { expire: 0 })
  const { visitor } = await visits.enter({ hash, password: undefined, token: undefined, address: '192.0.2.1' })
  await using held = new AsyncDisposableStack()
  for (let count = 0; count < 8; count += 1) held.use(await downloads.open(visitor, '/', {}))
  await expect(downloads.open(visitor, '/', {})).rejects.toMatchObject({ code: 'BUSY' })
  await using own = await downloads.open(admin, '/docs', {})
  expect(own.kind).toBe('archive')
})
