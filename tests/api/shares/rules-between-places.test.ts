import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { PATH_PERMISSIONS, type PathPermission, type PermissionRule } from '../../../src/domain/access/rule.ts'
import { isOver } from '../../../src/domain/automation/job.ts'
import { parseVirtualPath } from '../../../src/domain/files/virtual-path.ts'
import type { UserId } from '../../../src/domain/ids.ts'
import { PHOTOS } from '../../helpers/api/granted.ts'
import { ANNA, beforePlacing, BOB, ended, isThere, openPlaces, read, transfer } from '../../helpers/api/places.ts'
import { eventually } from '../../helpers/patience.ts'

const onlyAt = (path: string, permissions: readonly PathPermission[]): PermissionRule => ({
  regex: false,
  path,
  regexp: null,
  permissions: [...permissions],
})
const allBut = (missing: PathPermission) => PATH_PERMISSIONS.filter((each) => each !== missing)

it('takes the rights that rules give and take at each end, also where links lead', async () => {
  await using world = await openPlaces()
  const { bob, server } = world
  const { users } = server.context.services
  const set = async (id: UserId, rules: Readonly<Record<string, readonly PathPermission[]>>) => {
    const permissionRules = Object.entries(rules).map(([path, given]) => onlyAt(path, given))
    await users.update(OPERATOR, id, { permissionRules })
  }
  const codes = async (name: string, from: string, to: string, more = '') => [
    (await transfer(bob, 'copy', `${from}/${name}`, `${to}/copied`, more)).statusCode,
    (await transfer(bob, 'rename', `${from}/${name}`, `${to}/moved`, more)).statusCode,
  ]
  const refused = [403, 403]
  const inner = '/copy-folder/sub'
  for (const name of ['copy-folder', 'copy-folder/sub/deep.txt']) {
    await set(ANNA, { [`/photos${inner}`]: allBut('download') })
    expect(await codes(name, PHOTOS, '')).toEqual(refused)
    await set(ANNA, { [`/photos${inner}`]: allBut('share') })
    expect(await codes(name, PHOTOS, '')).toEqual(refused)
    await set(ANNA, { '/photos/copied': allBut('create'), '/photos/moved': allBut('create') })
    expect(await codes(name, '', PHOTOS)).toEqual(refused)
    await set(ANNA, {})
    await set(BOB, { [inner]: allBut('download') })
    expect(await codes(name, '', PHOTOS)).toEqual(refused)
    await set(BOB, {})
  }
  await set(ANNA, { '/photos/copy.txt': allBut('modify') })
  expect((await transfer(bob, 'copy', '/copy.txt', `${PHOTOS}/copy.txt`, '&override=true')).statusCode).toBe(403)
  await symlink('sub', join(server.root, 'anna/photos/rename-folder/way'))
  await symlink('copy-folder/sub/deep.txt', join(server.root, 'bob/link.txt'))
  await set(ANNA, { '/photos/rename-folder/sub': allBut('create') })
  expect(await codes('copy.txt', '', `${PHOTOS}/rename-folder/way`)).toEqual(refused)
  await set(BOB, { [inner]: allBut('download') })
  expect((await transfer(bob, 'copy', '/link.txt', `${PHOTOS}/link.txt`)).statusCode).toBe(403)
  // Moved by what a rule gives, for which nothing need be renamed.
  await set(ANNA, { '/photos/rename.txt': allBut('delete') })
  expect((await transfer(bob, 'rename', `${PHOTOS}/rename.txt`, '/moved.txt')).statusCode).toBe(403)
  await set(ANNA, { '/photos': allBut('rename') })
  await users.update(OPERATOR, BOB, { perm: { ...users.find('bob').perm, create: false } })
  await set(BOB, { '/moved.txt': ['create'] })
  expect((await transfer(bob, 'rename', `${PHOTOS}/rename.txt`, '/other.txt')).statusCode).toBe(403)
  expect((await transfer(bob, 'rename', `${PHOTOS}/rename.txt`, '/moved.txt')).statusCode).toBe(200)
  expect(await readdir(join(server.root, 'anna/photos'))).not.toContain('copied')
})

it.each([
  ['copy', '/copy-folder', 'the source', BOB, '/copy-folder/sub', 'download'],
  ['rename', '/rename-folder', 'the source', BOB, '/rename-folder/sub', 'delete'],
  ['copy', '/copy-folder', 'the target', ANNA, '/photos/new', 'create'],
  ['rename', '/rename-folder', 'the target', ANNA, '/photos/new/sub', 'create'],
] as const)('ends a %s of %s once a rule takes what it needs at %s', async (action, path, _, id, at, missing) => {
  await using world = await openPlaces()
  const { bob, server } = world
  beforePlacing(world, async () => {
    const permissionRules = [onlyAt(at, allBut(missing))]
    await server.context.services.users.update(OPERATOR, id, { permissionRules })
  })
  expect(await ended(world, await transfer(bob, action, path, `${PHOTOS}/new`))).toMatchObject({
    state: 'failed',
    error: { code: 'FORBIDDEN' },
  })
  expect(await read(world, `bob${path}/sub/deep.txt`)).toBe('deep')
  expect(await isThere(world, 'anna/photos/new')).toBe(false)
})

it('judges a job that goes on after a restart by the rules at both ends', async () => {
  await using world = await openPlaces({ store: 'json' })
  const { dataFolder, services, root } = world.server.context
  const [session] = await services.sessions.list(OPERATOR, { userId: BOB })
  const top = parseVirtualPath('/photos')
  const shown = parseVirtualPath('/.filemgr-shared/photos (anna)')
  const photos = { scope: '/anna', grant: { id: world.grants.photos.id, owner: ANNA, top, shown } }
  const folder = join(dataFolder, 'jobs')
  await mkdir(folder, { recursive: true })
  const outcomeOf = async (kind: 'copy' | 'move', from: string, number: number) => {
    const id = `job${number}`
    const request = { kind, from, to: `/photos/new${number}`, replace: false }
    const actor = { user: BOB, session: session?.id }
    const record = { version: 1, id, created: number, actor, scope: '/bob', target: photos, request, progress: {} }
    await writeFile(join(folder, `${id}.json`), JSON.stringify(record))
    await services.resumeJobs(false)
    const job = await eventually(async () => {
      const found = await services.jobs.find(OPERATOR, id)
      return isOver(found) ? found : await Promise.reject(new Error(found.state))
    })
    return job.error?.message ?? job.state
  }
  const set = async (id: UserId, path: string, missing: PathPermission) =>
    await services.users.update(OPERATOR, id, { permissionRules: [onlyAt(path, allBut(missing))] })
  const [lacking, denied] = ['you do not have the permission for this', 'a rule denies something in this folder']
  await set(BOB, '/copy-folder', 'download')
  expect(await outcomeOf('copy', '/copy-folder', 1)).toBe(lacking)
  await set(BOB, '/copy-folder/sub', 'delete')
  expect(await outcomeOf('move', '/copy-folder', 2)).toBe(denied)
  expect(await outcomeOf('copy', '/copy-folder', 3)).toBe('done')
  await set(ANNA, '/photos/new4', 'create')
  expect(await outcomeOf('move', '/rename-folder', 4)).toBe(lacking)
  await set(ANNA, '/photos/new5/sub', 'create')
  expect(await outcomeOf('move', '/rename-folder', 5)).toBe(denied)
  expect(await outcomeOf('move', '/rename-folder', 6)).toBe('done')
  const made = (await readdir(join(root, 'anna/photos'))).filter((name) => name.startsWith('new'))
  expect(made.toSorted()).toEqual(['new3', 'new6'])
})
