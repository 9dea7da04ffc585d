import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { vi } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { isOver, type Job } from '../../../src/domain/automation/job.ts'
import type { UserId } from '../../../src/domain/ids.ts'
import type { GrantView } from '../../../src/domain/shares/grant.ts'
import { eventually } from '../patience.ts'
import { grantOf, house, PHOTOS, type House } from './granted.ts'
import type { Answer, Client, TestAppInput } from './test-app.ts'

export const ANNA = 2 as UserId
export const BOB = 3 as UserId

/** Three places of bob: where they are for him, and on the disk. */
export const PLACES = {
  own: { shown: '', disk: 'bob' },
  photos: { shown: PHOTOS, disk: 'anna/photos' },
  box: { shown: '/.filemgr-shared/box%20(cleo)', disk: 'cleo/box' },
} as const
type PlaceName = keyof typeof PLACES

const FILES = {
  'anna/photos/a.txt': 'alpha',
  'anna/secret.txt': 'secret',
  'bob/own.txt': 'own',
  'cleo/box/c.txt': 'gamma',
  ...Object.fromEntries(
    Object.values(PLACES).flatMap(({ disk }) =>
      ['copy', 'rename'].flatMap((action) => [
        [`${disk}/${action}.txt`, `text of ${disk}`],
        [`${disk}/${action}-folder/sub/deep.txt`, 'deep'],
      ]),
    ),
  ),
}

export interface World extends House, AsyncDisposable {
  readonly grants: Readonly<Record<Exclude<PlaceName, 'own'>, GrantView>>
  set(place: PlaceName, allows: string): Promise<void>
}

export async function openPlaces(options: Omit<TestAppInput, 'files'> = {}): Promise<World> {
  const world = await house({ ...options, files: FILES })
  const { anna, cleo } = world
  const photos = await grantOf(anna, '/photos', 'bob', { allows: 'edit' })
  const box = await grantOf(cleo, '/box', 'bob', { allows: 'edit' })
  const owners = { photos: [anna, photos], box: [cleo, box] } as const
  return {
    ...world,
    grants: { photos, box },
    async set(place, allows) {
      if (place === 'own') return
      const [owner, { id }] = owners[place]
      await owner.ask('PUT', `/api/grants/${id}`, { payload: JSON.stringify({ allows }) })
    },
  }
}

export const transfer = async (client: Client, action: string, from: string, to: string, more = '') =>
  await client.ask('PATCH', `/api/resources${from}?action=${action}&destination=${encodeURIComponent(to)}${more}`, {
    headers: { prefer: 'respond-async' },
  })

/** Waits for the job, if the answer is one. */
export async function ended({ server }: House, answer: Answer): Promise<Pick<Job, 'state' | 'error'> & Partial<Job>> {
  if (answer.statusCode !== 202) return { state: answer.statusCode < 300 ? 'done' : 'failed' }
  const { id } = answer.json<Job>()
  return await eventually(async () => {
    const job = await server.context.services.jobs.find(OPERATOR, id)
    if (!isOver(job)) throw new Error(`the job is ${job.state}`)
    return job
  })
}

export const read = async ({ server }: House, path: string) => await readFile(join(server.root, path), 'utf8')
export const isThere = async ({ server }: House, path: string) =>
  await access(join(server.root, path)).then(
    () => true,
    () => false,
  )

/** Has every copy or move made by a job that does this when all is complete, and not in place yet. */
export function beforePlacing({ server }: House, happens: () => Promise<void>): void {
  const { storage } = server.context
  const openScope = storage.openScope.bind(storage)
  vi.spyOn(storage, 'openScope').mockImplementation(async (...where) => {
    const scope = await openScope(...where)
    const { copy, move } = scope
    const losing = (work: Parameters<typeof copy>[3]) => ({ ...work, placing: happens })
    return Object.assign(scope, {
      rename: async () => false,
      copy: async (...[one, other, mode, work]: Parameters<typeof copy>) => await copy(one, other, mode, losing(work)),
      move: async (...[one, other, mode, work]: Parameters<typeof move>) => await move(one, other, mode, losing(work)),
    })
  })
}
