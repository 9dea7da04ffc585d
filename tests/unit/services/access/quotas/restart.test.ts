import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { UserId } from '../../../../../src/domain/ids.ts'
import { ROOT, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { systemRandom } from '../../../../../src/platform/security/random.ts'
import { createFileChanges } from '../../../../../src/services/access/file-changes.ts'
import { createQuotas, type Quotas } from '../../../../../src/services/access/quotas/quotas.ts'
import { OpenUploads } from '../../../../../src/services/uploads/open-uploads.ts'
import { openLocalStorage } from '../../../../../src/storage/local/local-storage.ts'
import type { Scope, Storage } from '../../../../../src/storage/storage.ts'
import type { StoreDocument } from '../../../../../src/store/document.ts'
import { soleDaemon } from '../../../../../src/store/sole-daemon.ts'

import { movableClock, type MovableClock } from '../../../../helpers/movable-clock.ts'
import { recordingLog } from '../../../../helpers/recording-log.ts'
import { tempFolder, type TempFolder } from '../../../../helpers/temp-folder.ts'

const ANN = { id: 1 as UserId, scope: '/home', places: [], quota: 0, quotaFiles: 1000 }
const OTHERS: readonly (typeof ANN)[] = [{ ...ANN, id: 2 as UserId, scope: '/other', quotaFiles: 5 }]
/** Longer than the pause after a count, even on a busy machine: the count includes the time for which the test holds it. */
const LONG = 60 * 60_000

interface Run {
  readonly quotas: Quotas
  readonly clock: MovableClock
  /** Counts wait until it is called. */
  letCount(): void
  counts(): number
}

/** A daemon with the folders "files" and "data"; the storage counts when the test lets it. */
async function start(folder: TempFolder, users = [ANN, ...OTHERS]): Promise<Run> {
  const held = Promise.withResolvers<undefined>()
  const clock = movableClock()
  let counts = 0
  const storage = await openLocalStorage(folder.at('files'))
  const slow: Pick<Storage, 'openScope'> = {
    async openScope(...args) {
      const scope = await storage.openScope(...args)
      const measure = scope.measure.bind(scope)
      return Object.assign(scope, {
        measure: async (...asked: Parameters<Scope['measure']>) => {
          counts += 1
          await held.promise
          return await measure(...asked)
        },
      })
    },
  }
  const log = recordingLog()
  const { facts, usageRecords, uploadRecords } = soleDaemon({ folder: folder.at('data'), clock, log })
  const quotas = createQuotas({
    facts,
    usageRecords,
    storage: slow,
    log,
    random: systemRandom,
    store: { snapshot: () => document(users) },
    options: { followExternalSymlinks: false, root: folder.at('files') },
    openUploads: new OpenUploads(uploadRecords),
    changes: createFileChanges({ log }),
  })
  await quotas.start()
  return { quotas, clock, letCount: () => held.resolve(undefined), counts: () => counts }
}

const documents = new Map<unknown, StoreDocument>()
/** The same object for the same users: a store has a new one only after a change. */
function document(users: readonly (typeof ANN)[]): StoreDocument {
  const known = documents.get(users) ?? ({ users, groups: [], roots: [] } as unknown as StoreDocument)
  documents.set(users, known)
  return known
}

async function write(folder: TempFolder, { quotas }: Run, name: string): Promise<void> {
  await using reservation = await quotas.reserve(ANN, `/${name}` as VirtualPath, { bytes: 10, files: 1 })
  await writeFile(folder.at(join('files/home', name)), 'ten bytes.')
  await reservation.settle({ bytes: 10, files: 1 })
}

/** What was written during a count may be counted twice, until the next one. */
async function correct(run: Run): Promise<void> {
  const before = await used(run)
  run.letCount()
  await expect.poll(async () => await used(run)).not.toEqual(before)
  run.clock.move(LONG)
}

const used = async ({ quotas }: Run) => (await quotas.useOf(ANN))?.used

async function firstRun(folder: TempFolder): Promise<Run> {
  const first = await start(folder)
  first.letCount()
  await write(folder, first, 'a')
  await write(folder, first, 'b')
  return first
}

const files = async () => await tempFolder({ 'files/home/': '', 'files/other/x': 'x', 'data/': '' })

describe('the first write after a start', () => {
  it('does not wait for a count, and what other programs have changed is found in the background', async () => {
    await using folder = await files()
    const first = await firstRun(folder)
    await first.quotas[Symbol.asyncDispose]()
    await writeFile(folder.at('files/home/foreign'), 'foreign')

    const second = await start(folder)
    await using _quotas = second.quotas
    expect(second.counts()).toBe(0)
    await write(folder, second, 'c')
    await expect.poll(second.counts).toBe(1)
    expect(await used(second)).toEqual({ bytes: 30, files: 3 })
    await correct(second)
    await expect.poll(async () => await used(second)).toEqual({ bytes: 37, files: 4 })
  })

  it('does not wait after a crash, which is corrected at once, and nothing that was written is forgotten', async () => {
    await using folder = await files()
    await firstRun(folder)

    const second = await start(folder)
    await using _quotas = second.quotas
    await expect.poll(second.counts).toBe(1)
    await write(folder, second, 'c')
    expect((await used(second))?.files).toBeGreaterThanOrEqual(3)
    await correct(second)
    await expect.poll(async () => await used(second)).toEqual({ bytes: 30, files: 3 })
  })

  it('is never admitted beyond the quota by what a crash has left, and refused only after a count', async () => {
    await using folder = await files()
    const first = await firstRun(folder)
    const many = { bytes: 0, files: 998 }
    await (await first.quotas.reserve(ANN, ROOT, many)).settle(many)

    const second = await start(folder)
    await using _quotas = second.quotas
    const late = write(folder, second, 'c').then(() => 'written')
    await expect.poll(second.counts).toBe(1)
    expect(await Promise.race([late, Promise.resolve('waits')])).toBe('waits')
    second.letCount()
    expect(await late).toBe('written')
  })

  it('waits for a count if an earlier version has saved how many files there are, without folders', async () => {
    await using folder = await files()
    const first = await firstRun(folder)
    await first.quotas[Symbol.asyncDispose]()
    const [name = ''] = await readdir(folder.at('data/usage'))
    const file = folder.at(join('data/usage', name))
    const { kinds, ...old } = JSON.parse(await readFile(file, 'utf8')) as { kinds: string }
    expect(kinds).toBe('files and folders')
    await writeFile(file, JSON.stringify(old))
    await mkdir(folder.at('files/home/folder'))

    const second = await start(folder)
    await using _quotas = second.quotas
    expect(await readdir(folder.at('data/usage'))).toEqual([])
    second.letCount()
    expect(await used(second)).toEqual({ bytes: 20, files: 3 })
  })

  it('waits for a count in a folder that has had no limit meanwhile, or into which files were moved', async () => {
    await using folder = await files()
    const first = await firstRun(folder)
    await first.quotas[Symbol.asyncDispose]()
    await (await start(folder, [...OTHERS])).quotas[Symbol.asyncDispose]()
    expect(await readdir(folder.at('data/usage'))).toEqual([])

    const third = await firstRun(folder)
    expect(await readdir(folder.at('data/usage'))).toHaveLength(1)
    const moving = await third.quotas.moving({ scope: '/' }, '/big' as VirtualPath, '/home/big' as VirtualPath)
    await write(folder, third, 'c')
    expect(await readdir(folder.at('data/usage'))).toEqual([])
    await moving[Symbol.asyncDispose]()
    await third.quotas[Symbol.asyncDispose]()
    expect(await readdir(folder.at('data/usage'))).toEqual([])
    await rm(folder.at('data'), { recursive: true })
  })
})
