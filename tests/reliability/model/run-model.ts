import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isOver, type Job } from '../../../src/domain/job.ts'
import { seeded } from '../../helpers/seeded.ts'
import { ACTIONS, type Action, noteUnclear, type Session } from './actions.ts'
import { Expectations, foldersBelow, namesBelow, stagedBelow } from './expectations.ts'
import { type ModelWorld, openModelWorld } from './model-world.ts'
import { counter, type OwnFiles, renamedFiles, replacedFiles } from './own-files.ts'

const CLIENTS = 16
/** Milliseconds of work between two disturbances, and between two comparisons with the disk. */
const QUIET = 15_000
/** Milliseconds, longer than a lease lives. */
const EXPIRY = 20_000

export interface ModelOptions {
  readonly minutes: number
  readonly daemons: number
  readonly seed: number
}

export interface ModelReport extends ModelOptions {
  readonly acknowledged: number
  readonly files: number
  readonly disturbances: Readonly<Record<string, number>>
  readonly problems: readonly string[]
}

/**
 * Clients change files in any way at the same time: uploads, links, jobs, archives, renames, on two disks, by one or more daemons.
 * Daemons are killed and disks frozen in between. After each disturbance, everything that was acknowledged is compared with the
 * disk. Ends at the first comparison that finds something wrong.
 */
export async function runModel({ minutes, daemons, seed }: ModelOptions): Promise<ModelReport> {
  const random = seeded(seed)
  await using world = await openModelWorld(daemons, random)
  for (const folder of ['u/in', 'usb/u', 'z', 'usb/z', 'n', 'p', 'r'])
    mkdirSync(join(world.root, folder), { recursive: true })
  const problems: string[] = []
  const expected = new Expectations()
  const session: Session = {
    ...{ world, expected, random, acknowledged: 0, unclear: new Set<string>(), unfinished: new Set<string>() },
    link: await makeLink(world),
    folders: keptFresh(() => [...foldersBelow(world.root, 'u'), ...foldersBelow(world.root, 'usb/u')]),
    report: (problem) => void problems.push(problem),
  }
  const counters = Array.from({ length: 4 }, (_, index) => counter({ world, name: `n/counter-${index}` }))
  const own = Array.from({ length: CLIENTS }, (_, index) => [
    replacedFiles({ world, client: `c${index}` }),
    renamedFiles({ world, client: `c${index}` }),
  ]).flat()
  const gate = createGate()
  const end = Date.now() + minutes * 60_000
  const isOngoing = () => Date.now() < end && problems.length === 0
  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    const files = [...counters, ...own.slice(2 * index, 2 * index + 2)]
    while (isOngoing()) {
      await gate.pass()
      await step(session, files)
    }
    gate.leave()
  })
  const disturbances: Record<string, number> = {}
  for (let turn = 0; isOngoing(); turn += 1) {
    await sleep(Math.min(QUIET, Math.max(0, end - Date.now())))
    const name = await disturb(session, turn)
    disturbances[name] = (disturbances[name] ?? 0) + 1
    await sleep(2000)
    await gate.close(CLIENTS)
    await compare(session, [...counters, ...own], problems)
    gate.open()
    process.stdout.write(problems.length === 0 ? '.' : 'F')
  }
  await Promise.all(clients)
  await compare(session, [...counters, ...own], problems)
  problems.push(...(await leftovers(session)))
  return { minutes, daemons, seed, acknowledged: session.acknowledged, files: expected.stored, disturbances, problems }
}

async function step(session: Session, own: readonly OwnFiles[]): Promise<void> {
  const { random } = session
  if (random() < 0.3) await own[Math.floor(random() * own.length)]?.act(random)
  else await chosen(random)(session)
}

function chosen(random: () => number): Action {
  const total = ACTIONS.reduce((sum, [weight]) => sum + weight, 0)
  let rest = random() * total
  for (const [weight, action] of ACTIONS) if ((rest -= weight) < 0) return action
  throw new Error('the weights do not add up')
}

async function makeLink(world: ModelWorld): Promise<string> {
  const body = JSON.stringify({ terms: { allows: 'upload' } })
  const headers = { 'Content-Type': 'application/json' }
  const made = await world.ask('POST', '/api/share/u/in', { body, headers })
  return (JSON.parse(made.text) as { readonly hash: string }).hash
}

/** Reads at most once a second, because sixteen clients ask all the time. */
function keptFresh(read: () => readonly string[]): () => readonly string[] {
  let [found, until]: [readonly string[], number] = [[], 0]
  return () => {
    if (Date.now() > until) [found, until] = [read(), Date.now() + 1000]
    return found
  }
}

/** @returns what was done */
async function disturb(session: Session, turn: number): Promise<string> {
  const { world, random } = session
  const index = Math.floor(random() * world.daemons)
  if (turn % 4 === 1) {
    world.strike({ call: 'write', action: 'stall' }, world.usb)
    await sleep(4000)
    world.heal()
    return 'frozen disk'
  }
  if (turn % 4 === 3) {
    await world.restart(index, 'SIGTERM')
    return 'restart'
  }
  // Jobs on PostgreSQL end with their daemon; what they had moved by then may be in both places.
  if (world.daemons > 1) for (const job of await unfinished(world)) noteUnclear(session, touchedBy(job))
  await world.restart(index, 'SIGKILL')
  return 'kill -9'
}

async function unfinished(world: ModelWorld): Promise<Job[]> {
  const answer = await world.ask('GET', '/api/jobs?all=true')
  return answer.status === 200 ? (JSON.parse(answer.text) as Job[]).filter((job) => !isOver(job)) : []
}

function touchedBy({ path, destination }: Job): string[] {
  return [path, destination ?? '/.filemgr-trash'].map((touched) => touched.slice(1))
}

/** Compares with the disk while no client and no job changes anything. */
async function compare(session: Session, own: readonly OwnFiles[], problems: string[]): Promise<void> {
  const { world, expected, unclear } = session
  for (let tries = 0; (await unfinished(world)).length > 0; tries += 1) {
    if (tries === 600) problems.push('jobs do not end')
    if (tries === 600) return
    await sleep(200)
  }
  for (const path of unclear) expected.allowTwice(namesBelow(join(world.root, path)))
  unclear.clear()
  problems.push(...expected.problemsIn([world.root]), ...own.flatMap((files) => files.problems()))
}

/** Hidden files that no unfinished upload needs, and that remain after a clean restart and its sweep. */
async function leftovers({ world, unfinished }: Session): Promise<string[]> {
  for (const path of unfinished) await world.ask('DELETE', path)
  for (let index = 0; index < world.daemons; index += 1) await world.restart(index, 'SIGTERM')
  if (world.daemons > 1) {
    // The lease of a dead daemon has to expire, before another one sweeps what it has left.
    await sleep(EXPIRY)
    await world.restart(0, 'SIGTERM')
  }
  const records = await world.uploadRecords()
  const left = () => stagedBelow(world.root).filter((path) => !records.includes(basename(path)))
  for (let tries = 0; tries < 150 && left().length > 0; tries += 1) await sleep(200)
  return left().map((path) => `${path} was left behind`)
}

/** Lets the clients work while it is open. */
function createGate() {
  let [opened, waiting, gone] = [Promise.withResolvers<void>(), 0, 0]
  opened.resolve()
  return {
    async pass() {
      waiting += 1
      await opened.promise
      waiting -= 1
    },
    leave: () => void (gone += 1),
    open: () => opened.resolve(),
    /** Resolves when all clients wait. */
    async close(clients: number) {
      opened = Promise.withResolvers()
      while (waiting + gone < clients) await sleep(20)
    },
  }
}
