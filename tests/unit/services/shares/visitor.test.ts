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

it('visitors of a share with slow connections do not keep out those from elsewhere', async () => {
  await using context = await testContext({ files: { 'docs/a.txt': 'a' } })
  const { shares, visits, downloads } = context.services
  const { hash } = await shares.create(await context.actor('admin'), '/docs', { expire: 0 })
  const from = async (address: string) =>
    (await visits.enter({ hash, password: undefined, token: undefined, address })).visitor
  const [slow, other] = [await from('192.0.2.1'), await from('192.0.2.2')]
  await using held = new AsyncDisposableStack()
  for (let count = 0; count < 8; count += 1) held.use(await downloads.open(slow, '/', {}))
  await expect(downloads.open(slow, '/', {})).rejects.toMatchObject({ code: 'BUSY' })
  await using download = await downloads.open(other, '/', {})
  expect(download.kind).toBe('archive')
})
