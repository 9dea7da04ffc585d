import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { OPERATOR } from '../../../../../src/domain/accounts/actor.ts'
import { systemClock } from '../../../../../src/platform/clock.ts'
import { silentLogger } from '../../../../../src/platform/logging/logger.ts'
import { createHiddenFiles } from '../../../../../src/services/server/chores/hidden-files.ts'
import { StagedNames } from '../../../../../src/storage/reserved-names.ts'
import { MemoryLeases } from '../../../../../src/store/memory-leases.ts'
import type { LeaseState } from '../../../../../src/store/store.ts'
import type { StoreDocument } from '../../../../../src/store/document.ts'
import { LocalWorld } from '../../../../contract/storage/local-world.ts'

/** Hidden files. User 1 sees the whole served folder, user 2 the folder of bob through a link, user 3 a missing folder. */
async function hiddenWorld({ readOnly = false, leases = new MemoryLeases() } = {}) {
  const killed = new StagedNames({ installation: 'aaaaaaaa', run: 'bbbbbbbb' })
  const staged = new StagedNames({ installation: 'aaaaaaaa', run: 'cccccccc' }, true)
  const world = await LocalWorld.open('inside', { staged })
  const names = { half: killed.next(), upload: killed.next(), live: staged.next() }
  staged.neededByUploads = async () => new Set([names.upload])
  for (const name of Object.values(names)) writeFileSync(join(world.root, name), 'half')
  for (const path of ['1', '9', '2/id/content/.filemgr-trash/7'])
    mkdirSync(join(world.root, '.filemgr-trash', path), { recursive: true })
  for (const path of ['bob/.filemgr-trash/2', 'bob/.filemgr-trash/1'])
    mkdirSync(join(world.root, path), { recursive: true })
  symlinkSync('bob', join(world.root, 'link'))
  const scopes = ['/', '/link', '/gone']
  const users = scopes.map((scope, index) => ({
    id: index + 1,
    scope,
    places: [],
  })) as unknown as StoreDocument['users']
  const hidden = createHiddenFiles({
    store: { snapshot: () => ({ users, groups: [], roots: [] }) as unknown as StoreDocument },
    storage: world.storage,
    options: { readOnly, followExternalSymlinks: false },
    leases,
    messages: { subscribe: () => () => undefined },
    clock: systemClock,
    log: silentLogger,
  })
  const has = (path: string) => existsSync(join(world.root, path))
  return {
    root: world.root,
    names,
    hidden,
    has,
    staged,
    [Symbol.asyncDispose]: async () => await world[Symbol.asyncDispose](),
  }
}

/** Leases of other daemons, as they are listed. */
class WithStates extends MemoryLeases {
  readonly acquired: string[] = []
  readonly abandoned: string[] = []
  readonly #states: readonly LeaseState[]

  constructor(states: readonly LeaseState[]) {
    super()
    this.#states = states
  }

  override async list(prefix: string) {
    return await Promise.resolve(this.#states.filter(({ name }) => name.startsWith(prefix)))
  }

  override async tryAcquire(name: string) {
    this.acquired.push(name)
    const lease = await super.tryAcquire(name)
    return (
      lease && {
        ...lease,
        abandon: async () => {
          this.abandoned.push(name)
          await lease.abandon()
        },
      }
    )
  }
}

/** A hidden file of another daemon. @returns its name */
function fileOf(root: string, id: string): string {
  const name = new StagedNames({ installation: id, run: id }).next()
  writeFileSync(join(root, name), 'half')
  return name
}

it('the sweep keeps unfinished uploads and files being written, and changes nothing on a read-only server', async () => {
  await using reading = await hiddenWorld({ readOnly: true })
  await reading.hidden.sweep()
  expect([reading.has(reading.names.half), reading.staged.isClean]).toEqual([true, false])
  await using world = await hiddenWorld()
  await world.hidden.sweep()
  expect(Object.values(world.names).map(world.has)).toEqual([false, true, true])
})

it('the sweep removes the files of another daemon that has died, and then forgets that daemon', async () => {
  const leases = new WithStates([
    { name: 'run/dddddddd-dddddddd', isHeld: false, until: 0 },
    { name: 'run/eeeeeeee-eeeeeeee', isHeld: true, until: Infinity },
  ])
  await using world = await hiddenWorld({ leases })
  const [dead, alive] = [fileOf(world.root, 'dddddddd'), fileOf(world.root, 'eeeeeeee')]
  await world.hidden.sweep()
  expect([dead, alive].map(world.has)).toEqual([false, true])
  expect(leases.acquired).toEqual(['run/dddddddd-dddddddd'])
  expect(leases.abandoned).toEqual([])
})

it('the sweep removes what another daemon has left behind, whether the run that began it is over or not', async () => {
  const states = [{ name: 'run/eeeeeeee-eeeeeeee', isHeld: true, until: Infinity }]
  const leases = new WithStates(states)
  await using world = await hiddenWorld({ leases })
  const [over, alive, other] = ['dddddddd', 'eeeeeeee', 'eeeeeeee'].map((id) => fileOf(world.root, id))
  const [old, recent] = [0, systemClock.now()]
  states.push(
    { name: `left/${over}`, isHeld: false, until: old },
    { name: `left/${alive}`, isHeld: false, until: recent },
  )
  await world.hidden.sweep()
  expect([over, alive, other].map((name) => world.has(name ?? ''))).toEqual([false, false, true])
  // Who has a signed address may write to the recent one once more.
  expect(leases.abandoned).toEqual([`left/${alive}`])
})

it('a sweep that is stopped leaves the dead daemons to the next one', async () => {
  const leases = new MemoryLeases()
  const list = leases.list.bind(leases)
  leases.list = async (prefix) => [...(await list(prefix)), { name: 'run/dddddddd-dddddddd', isHeld: false, until: 0 }]
  await using world = await hiddenWorld({ leases })
  await expect(world.hidden.sweep(AbortSignal.abort())).rejects.toThrow()
  expect(await leases.tryAcquire('run/dddddddd-dddddddd')).toBeDefined()
})

it('the search finds unfinished files, and trash that belongs to no user', async () => {
  await using world = await hiddenWorld()
  const { abandoned, orphaned, isComplete } = await world.hidden.find()
  expect(abandoned).toMatchObject([{ path: `/${world.names.half}`, by: 'an earlier run', size: 4 }])
  const paths = ['/.filemgr-trash/2', '/.filemgr-trash/9', '/bob/.filemgr-trash/1']
  expect(orphaned.map(({ path }) => path).toSorted()).toEqual(paths)
  expect(isComplete).toBe(true)
  expect((await world.hidden.find(AbortSignal.abort())).isComplete).toBe(false)
})

it('only trash that belongs to no user is deleted, and only what was chosen', async () => {
  await using world = await hiddenWorld()
  const chosen = ['/.filemgr-trash/1', '/.filemgr-trash/9', '/bob/.filemgr-trash/1', '/bob']
  expect(await world.hidden.removeOrphaned(OPERATOR, chosen)).toBe(2)
  expect(['.filemgr-trash/1', '.filemgr-trash/2', '.filemgr-trash/9'].map(world.has)).toEqual([true, true, false])
  expect(['bob/.filemgr-trash/1', 'bob/.filemgr-trash/2'].map(world.has)).toEqual([false, true])
})
