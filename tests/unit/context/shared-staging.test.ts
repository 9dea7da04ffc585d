import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { beginSharedStaging } from '../../../src/context/staging-run.ts'
import { fail } from '../../../src/domain/errors.ts'
import { StagedNames } from '../../../src/storage/reserved-names.ts'
import { MemoryLeases } from '../../../src/store/memory-leases.ts'

/** Daemons that share leases. Records which leases were left for others to take over. */
function cluster() {
  const leases = new MemoryLeases()
  const abandoned: string[] = []
  const database = { isAway: false }
  const acquire = async (name: string) => {
    if (database.isAway) fail('STORE_BUSY', 'the database is away')
    const lease = await leases.tryAcquire(name)
    return (
      lease && {
        ...lease,
        abandon: async () => {
          abandoned.push(name)
          await lease.abandon()
        },
      }
    )
  }
  const held = async () => (await leases.list('run/')).map(({ name }) => name)
  return { begin: () => beginSharedStaging({ tryAcquire: acquire }), abandoned, held, database }
}

it('a file of another run that is left behind is noted by its name', async () => {
  const { begin, abandoned } = cluster()
  await using daemon = begin()
  const over = new StagedNames({ installation: 'aaaaaaaa', run: 'bbbbbbbb' })
  const name = over.next()
  daemon.names.leaveBehind(name)
  await expect.poll(() => abandoned).toContain(`left/${name}`)
})

it('a file that a daemon leaves behind while both stop is noted too', async () => {
  const { begin, abandoned, held } = cluster()
  const [other, first] = [begin(), begin()]
  await expect.poll(held).toHaveLength(2)
  const name = first.names.next()
  const ended = first[Symbol.asyncDispose]()
  other.names.leaveBehind(name)
  await other[Symbol.asyncDispose]()
  await ended
  expect(abandoned).toContainEqual(expect.stringMatching(/^left\//))
})

it('a file that is left behind while the database is away is noted later', async () => {
  const { begin, abandoned, database } = cluster()
  await using daemon = begin()
  database.isAway = true
  const name = new StagedNames({ installation: 'aaaaaaaa', run: 'bbbbbbbb' }).next()
  daemon.names.leaveBehind(name)
  await setImmediate()
  expect(abandoned).toEqual([])
  database.isAway = false
  await expect.poll(() => abandoned).toEqual([`left/${name}`])
})

it('a run that ends while something is being written is swept by others', async () => {
  const { begin, abandoned, held } = cluster()
  const [clean, busy] = [begin(), begin()]
  await expect.poll(held).toHaveLength(2)
  clean.names.end(clean.names.begin())
  busy.names.begin()
  const { stager } = busy.names
  await clean[Symbol.asyncDispose]()
  await busy[Symbol.asyncDispose]()
  expect(abandoned).toEqual([`run/${stager?.installation}-${stager?.run}`])
})
