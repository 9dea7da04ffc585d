import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { GrantView } from '../../../src/domain/shares/grant.ts'
import type { UserId } from '../../../src/domain/ids.ts'
import type { Job } from '../../../src/domain/automation/job.ts'
import { grantOf, house, MAY_ALL, PHOTOS, type House } from '../../helpers/api/granted.ts'
import { openRequest } from '../../helpers/api/open-request.ts'

const ANNA = 2 as UserId
/** Bytes: sparse, so that it costs no room; hours of work where it is read. */
const HUGE = 200_000_000_000

const WAYS: Readonly<Record<string, (world: House, grant: GrantView) => Promise<unknown>>> = {
  'the owner ends it': async ({ anna }, { id }) => await anna.ask('DELETE', `/api/grants/${id}`),
  'the recipient gives it up': async ({ bob }, { id }) => await bob.ask('DELETE', `/api/shared/${id}`),
  'it gives less': async ({ anna }, { id }) =>
    await anna.ask('PUT', `/api/grants/${id}`, { payload: '{"allows":"upload"}' }),
  'the owner moves the folder': async ({ anna }) =>
    await anna.ask('PATCH', '/api/resources/photos?action=rename&destination=/moved'),
  'the owner may not share any more': async ({ server }) =>
    await server.context.services.users.update(OPERATOR, ANNA, { perm: { ...MAY_ALL, share: false } }),
  'the owner is disabled': async ({ server }) =>
    await server.context.services.users.update(OPERATOR, ANNA, { disabled: true }),
}

describe.each(Object.entries(WAYS))('what runs in a shared folder ends when %s', (_name, lose) => {
  it('a download is cut off, an upload refused, and a job fails', async () => {
    await using world = await house()
    const { server, anna, bob } = world
    await writeFile(join(server.root, 'anna/photos/huge.bin'), '')
    await truncate(join(server.root, 'anna/photos/huge.bin'), HUGE)
    const grant = await grantOf(anna, '/photos', 'bob', { allows: 'edit' })
    using download = await openRequest(server.app, bob, 'GET', `/api/raw${PHOTOS}/huge.bin`)
    const answer = await download.answer
    expect(answer.statusCode).toBe(200)
    using save = await openRequest(server.app, bob, 'PUT', `/api/resources${PHOTOS}/a.txt`, { body: 'the beginning' })
    const started = await bob.ask('GET', `/api/resources${PHOTOS}/huge.bin?checksum=sha512`, {
      headers: { prefer: 'respond-async' },
    })
    expect(started.statusCode).toBe(202)
    const job = started.json<Job>()
    expect(job.path).toBe('/.filemgr-shared/photos (anna)/huge.bin')
    await lose(world, grant)
    answer.on('error', () => undefined).resume()
    expect(await download.ended).toBe(false)
    expect((await save.answer).statusCode).toBeGreaterThanOrEqual(400)
    const state = async () => (await server.context.services.jobs.find(OPERATOR, job.id)).state
    await expect.poll(state, { timeout: 60_000 }).toBe('failed')
  })
})
