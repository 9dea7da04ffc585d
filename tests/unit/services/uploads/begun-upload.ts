import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Actor } from '../../../../src/domain/accounts/actor.ts'
import type { UploadRecord } from '../../../../src/domain/uploads/upload.ts'
import { silentLogger } from '../../../../src/platform/logging/logger.ts'
import { systemRandom } from '../../../../src/platform/security/random.ts'
import { createUploads, type Uploads } from '../../../../src/services/uploads/uploads.ts'
import { OpenUploads } from '../../../../src/services/uploads/open-uploads.ts'
import { RootIndex } from '../../../../src/services/stored-roots.ts'
import { createUnfinishedUploads, type UnfinishedUploads } from '../../../../src/services/uploads/unfinished-uploads.ts'
import { MemoryLeases } from '../../../../src/store/memory-leases.ts'
import { memoryRecords } from '../../../../src/store/records/records.ts'
import type { Records } from '../../../../src/store/store.ts'
import { type Account, make } from '../../../helpers/make.ts'
import { movableClock } from '../../../helpers/movable-clock.ts'
import { type FileTree } from '../../../helpers/temp-folder.ts'
import { testContext, type TestContext } from '../../../helpers/test-context.ts'

export interface World extends AsyncDisposable {
  /** How the upload has ended. */
  readonly placed: 'created' | 'overwritten' | undefined
  readonly context: TestContext
  readonly actor: Actor
  readonly records: Records<UploadRecord>
  /** The upload services of a daemon that starts with the records. */
  start(): { uploads: Uploads; unfinished: UnfinishedUploads }
  /** Changes the record of /a.txt to what a killed daemon leaves behind. */
  leave(change: Partial<UploadRecord>): Promise<void>
  names(): Promise<string[]>
}

export interface Circumstances {
  /** The owner is an administrator. */
  readonly owner?: Partial<Account>
  readonly files?: FileTree
  readonly override?: boolean
  /** Called while the file is about to be put in place: before room for it is reserved, and after. */
  readonly hook?: (context: TestContext) => Promise<void>
  readonly touching?: (context: TestContext) => Promise<void>
  /** Called for each path that has become free. */
  readonly freed?: (path: string) => void
}

/** An upload of six bytes to /a.txt, of which some have come. */
export async function begun(bytes: string, circumstances: Circumstances = {}): Promise<World> {
  const { owner = {}, files = {}, override = false, hook, touching, freed } = circumstances
  const clock = movableClock(Date.now())
  const context = await testContext({ clock, users: [make.admin(owner)], files })
  const { store, storage, options, services } = context
  const records = memoryRecords<UploadRecord>()
  const actor = await context.actor('admin')
  const start = () => {
    const { arrivals } = services
    const quotas: typeof services.quotas = {
      ...services.quotas,
      freed: async (scope, path) => {
        freed?.(path ?? '')
        await services.quotas.freed(scope, path)
      },
    }
    const roots = new RootIndex(store, options)
    const common = { arrivals, quotas, openUploads: new OpenUploads(records), leases: new MemoryLeases(), clock }
    const unfinished = createUnfinishedUploads({ ...common, store, storage, roots, log: silentLogger })
    const uploads = createUploads({
      ...common,
      unfinished,
      access: services.access,
      settings: () => services.settings.current(),
      changes: {
        notify: services.fileChanges.notify,
        touching: async (user, path) => {
          await touching?.(context)
          return await services.fileChanges.touching(user, path)
        },
      },
      sessions: { extend: async () => undefined, keepExtending: () => ({ [Symbol.dispose]: () => undefined }) },
      random: systemRandom,
      hooks: {
        begin: async () => {
          await hook?.(context)
          return async () => undefined
        },
      },
    })
    return { uploads, unfinished }
  }
  const first = async () => {
    await using upload = await start().uploads.begin(actor, '/a.txt', { length: 6, override })
    await upload.append(0, Readable.from([Buffer.from(bytes)]))
    return upload.placed
  }
  return {
    placed: await first(),
    context,
    actor,
    records,
    start,
    leave: async (change) => await records.put({ ...(await onlyRecord({ records })), ...change }),
    names: async () => (await readdir(context.root)).toSorted(),
    [Symbol.asyncDispose]: async () => await context[Symbol.asyncDispose](),
  }
}

export async function onlyRecord({ records }: Pick<World, 'records'>): Promise<UploadRecord> {
  const [record] = await records.list()
  if (record === undefined) throw new Error('there is no record')
  return record
}

/** The offset that HEAD returns. */
export async function offsetOf({ start, actor }: World): Promise<number> {
  await using upload = await start().uploads.resume(actor, '/a.txt', { finishes: true })
  return upload.state.offset
}

export const append = async ({ start, actor }: World, offset: number, text: string) => {
  await using upload = await start().uploads.resume(actor, '/a.txt', { from: offset })
  return await upload.append(offset, Readable.from(text === '' ? [] : [Buffer.from(text)]))
}

export const contentOf = async ({ context }: World) => await readFile(join(context.root, 'a.txt'), 'utf8')
