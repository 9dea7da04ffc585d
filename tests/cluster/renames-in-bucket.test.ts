import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { fail } from '../../src/domain/errors.ts'
import type { RenameOutcome } from '../../src/domain/files/renames.ts'
import { ProcessLocks } from '../../src/platform/limits/name-locks.ts'
import { openS3Storage } from '../../src/storage/s3-storage.ts'
import { storagePathOf } from '../../src/storage/storage.ts'
import { NEW, path, put } from '../contract/storage/view.ts'
import { loseAnswer } from '../helpers/cluster/s3-proxy.ts'
import { proxiedS3OfFile } from '../helpers/cluster/server-of-file.ts'
import { testContext } from '../helpers/test-context.ts'

/** What may fail while the database or the S3 server is away for a moment. */
const FAULTS = ['requests refused', 'answers lost', 'locks refused'] as const
type Fault = (typeof FAULTS)[number]
/** Requests one after the other that fail. */
const OUTAGE = 3
/** A swap, for which one has a temporary name, and a single entry. */
const RENAMES = [
  { from: 'a', to: 'b' },
  { from: 'b', to: 'a' },
  { from: 'x', to: 'y' },
]
const OLD = { a: 'content a', b: 'content b', x: 'content x' }
const RENAMED = { a: 'content b', b: 'content a', y: 'content x' }

const s3 = proxiedS3OfFile()

async function openWorld(files: Readonly<Record<string, string>>) {
  const prefix = `${randomUUID()}/`
  const [locks, fault] = [new ProcessLocks(), { lock: (): void => undefined }]
  const acquire = async (names: readonly string[]) => {
    fault.lock()
    return await locks.acquire(names)
  }
  const claim = async (name: string) => await locks.claim(name)
  const storage = openS3Storage({ bucket: s3().server.bucket, prefix }, { locks: { acquire, claim } })
  const scope = await storage.openScope(storagePathOf(path('/')), 'inside')
  for (const [name, text] of Object.entries(files)) await put(scope, `/r/${name}`, text, NEW)
  const folder = join(s3().server.folder, prefix)
  return {
    ...{ storage, scope },
    /** Requests fail, from this one on. @returns a function that ends this; true if none has failed */
    failing(what: Fault, first: number): () => boolean {
      let count = 0
      const isFailing = () => {
        count += 1
        return count >= first && count < first + OUTAGE
      }
      if (what === 'locks refused')
        fault.lock = () => {
          if (isFailing()) fail('STORE_BUSY', 'the database is away')
        }
      else
        s3().proxy.before = (_, response) => {
          if (!isFailing()) return
          if (what === 'requests refused') response.writeHead(503).end()
          else loseAnswer(response)
        }
      return () => {
        fault.lock = s3().proxy.before = () => undefined
        return count < first
      }
    },
    files(): Record<string, string> {
      const names = readdirSync(join(folder, 'r'))
      return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, 'r', name), 'utf8')]))
    },
    hidden: () => readdirSync(folder).filter((name) => name !== 'r'),
    [Symbol.asyncDispose]: async () => await storage[Symbol.asyncDispose](),
  }
}

/** Renames several entries while requests fail. @returns what is there then; `isOver` if none has failed */
async function renamedWith(fault: Fault, first: number) {
  const world = await openWorld(OLD)
  await using context = await testContext({ storage: world.storage })
  const actor = await context.actor('admin')
  const end = world.failing(fault, first)
  const work = async (): Promise<RenameOutcome | undefined> => {
    const answer = await context.services.renames.run(actor, '/r', { renames: RENAMES })
    return answer.kind === 'done' ? answer.outcome : (await answer.started.done).renames
  }
  const outcome = await work().catch(() => undefined)
  return { outcome, isOver: end(), files: world.files(), hidden: world.hidden() }
}

it.each(FAULTS)(
  'a file that is moved has one name afterwards: %s, whichever they are',
  async (fault) => {
    const wrong: unknown[] = []
    for (let [first, isOver] = [1, false]; !isOver; first += 1) {
      await using world = await openWorld({ m: 'moved' })
      const end = world.failing(fault, first)
      await world.scope.rename(path('/r/m'), path('/r/n'), NEW).catch(() => undefined)
      isOver = end()
      const names = Object.keys(world.files())
      if (names.length !== 1) wrong.push({ first, names })
    }
    expect(wrong).toEqual([])
  },
  300_000,
)

it.each(FAULTS)(
  'a batch rename is done or has not begun: %s, whichever they are',
  async (fault) => {
    const wrong: unknown[] = []
    for (let [first, isOver] = [1, false]; !isOver; first += 1) {
      const seen = await renamedWith(fault, first)
      isOver = seen.isOver
      const { outcome, files, hidden } = seen
      const found = { files, failed: outcome?.failed, hidden }
      if (!isDeepStrictEqual(found, { files: outcome ? RENAMED : OLD, failed: outcome && [], hidden: [] }))
        wrong.push({ first, ...found })
    }
    expect(wrong).toEqual([])
  },
  300_000,
)
