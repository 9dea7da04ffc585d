import { expect, it, vi } from 'vitest'
import { openRequest } from '../../helpers/api/open-request.ts'
import { testApp } from '../../helpers/api/test-app.ts'

it('an answer that fails in the middle is cut off for its client, and the log says why', async () => {
  await using server = await testApp({ files: { 'a.txt': 'a' } })
  const admin = await server.admin()
  vi.spyOn(server.context.services.search, 'run').mockImplementation(async function* () {
    yield [{ path: 'found.txt', dir: false }]
    throw new Error('EIO: the disk has gone')
  })
  using request = await openRequest(server.app, admin, 'GET', '/api/search/?query=a')
  const answer = await request.answer
  answer.resume().on('error', () => undefined)
  expect([answer.statusCode, await request.ended]).toEqual([200, false])
  expect(server.log).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      facts: { err: expect.objectContaining({ message: 'EIO: the disk has gone' }) as Error },
    }),
  )
  expect(JSON.stringify(server.log)).not.toContain(admin.token)
})
