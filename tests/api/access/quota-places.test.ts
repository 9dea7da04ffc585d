import { rename } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { ALL_PERMISSIONS } from '../../../src/domain/access/permissions.ts'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { NO_ROOT, type GivenPlace } from '../../../src/domain/accounts/place.ts'
import { FILES_ROOT } from '../../../src/domain/server/root.ts'
import { testApp } from '../../helpers/api/test-app.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

const MAY = { ...ALL_PERMISSIONS, admin: false }

/** Anna has 40 bytes in her own folder, 30 in the root Photos, and 1,000 in a place that she can only look at. */
async function open() {
  await using held = new AsyncDisposableStack()
  const disk = held.use(await tempFolder({ 'p.txt': 'p'.repeat(30), 'new/': '' }))
  const files = { 'anna/own.txt': 'o'.repeat(40), 'read/r.txt': 'r'.repeat(1000) }
  const server = held.use(await testApp({ files }))
  const { roots, users, quotas } = server.context.services
  const { id: root } = await roots.create(OPERATOR, { name: 'Photos', location: disk.path })
  const place = (more: Partial<GivenPlace>) => ({ root, scope: '/', name: '', rules: [], permissionRules: [], ...more })
  const anna = await server.user('anna', MAY, { scope: '/anna' })
  const { id } = users.find('anna')
  const looked = place({ root: FILES_ROOT, scope: '/read', name: 'Read', permissions: ['download'] })
  // The second one lies in the first.
  await users.update(OPERATOR, id, { quota: 100, places: [place({}), looked, place({ scope: '/new', name: 'New' })] })
  const put = async (path: string, bytes: number) =>
    (await anna.ask('POST', `/api/resources${path}`, { payload: 'x'.repeat(bytes) })).statusCode
  const quotaAt = async (path: string) =>
    (await anna.ask('GET', `/api/usage${path}`)).json<{
      quota?: { used: { bytes: number }; limit: { bytes: number } }
    }>().quota
  const all = held.move()
  return {
    server,
    disk: disk.path,
    root,
    roots,
    quotas,
    anna,
    id,
    put,
    quotaAt,
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

it('a quota holds for all places of an account together, except those that it can only look at', async () => {
  await using world = await open()
  const { put, quotaAt, quotas, anna } = world
  expect(await put('/Photos/a.txt', 31)).toBe(507)
  expect(await put('/Photos/a.txt', 20)).toBe(200)
  expect(await put('/Home/b.txt', 11)).toBe(507)
  expect(await put('/New/b.txt', 5)).toBe(200)
  for (const path of ['/Home/', '/Photos/', '/New/'])
    expect(await quotaAt(path)).toMatchObject({ used: { bytes: 95 }, limit: { bytes: 100 } })
  // What is moved from one place to another is in the quota already.
  const moved = await anna.ask('PATCH', '/api/resources/Home/own.txt?action=rename&destination=/Photos/own.txt')
  expect(moved.statusCode).toBe(200)
  expect(await put('/Home/c.txt', 6)).toBe(507)
  const [view] = await quotas.list(OPERATOR)
  expect(view).toMatchObject({ username: 'anna', used: { bytes: 95 } })
  expect(await quotas.recount(OPERATOR, world.id)).toMatchObject({ used: { bytes: 95 } })
  // Without any folder, nothing counts.
  await world.server.context.services.users.update(OPERATOR, world.id, { root: NO_ROOT, places: [] })
  expect(await quotas.recount(OPERATOR, world.id)).toMatchObject({ username: 'anna', used: { bytes: 0, files: 0 } })
})

it('a place that is away counts as it was last known, and does not stop the others', async () => {
  await using world = await open()
  const { put, disk, quotaAt, quotas, id, root, roots, anna } = world
  await rename(disk, `${disk}-away`)
  await expect.poll(async () => (await anna.ask('GET', '/api/resources/Photos/')).statusCode).toBe(503)
  expect(await put('/Home/a.txt', 50)).toBe(200)
  expect(await put('/Photos/a.txt', 1)).toBe(503)
  await rename(`${disk}-away`, disk)
  await expect.poll(async () => await put('/Photos/a.txt', 1)).toBe(507)
  await expect(quotas.recount(OPERATOR, id)).resolves.toMatchObject({ used: { bytes: 120 } })
  // The quota of the root holds for all that is in it, and is told where it is the tighter one.
  await roots.change(OPERATOR, root, { quota: 35 })
  await world.server.context.services.users.update(OPERATOR, id, { quota: 0 })
  expect(await quotaAt('/Photos/')).toMatchObject({ used: { bytes: 30 }, limit: { bytes: 35 } })
  expect(await quotaAt('/Home/')).toBeUndefined()
  expect(await put('/Photos/b.txt', 6)).toBe(507)
  expect(await put('/Photos/b.txt', 5)).toBe(200)
})
