import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seeded } from '../../helpers/seeded.ts'
import { ACTIONS, type Action, type Session } from './actions.ts'
import { Expectations, foldersBelow, namesBelow, stagedBelow } from './expectations.ts'
import { type ModelWorld, type ModelWorldOptions, openModelWorld, type Request } from './model-world.ts'
import { counter, type OwnFiles, renamedFiles, replacedFiles } from './own-files.ts'

const CLIENTS = 16
/** Milliseconds of work between two disturbances, and between two comparisons with the disk. */
const QUIET = 15_000
/** Milliseconds, longer than a lease lives. */
const EXPIRY = 20_000
/** Milliseconds after which daemons that disagree will not agree any more. */
const AGREED = 20_000
const JSON_BODY = { 'Content-Type': 'application/json' }

export interface ModelOptions extends ModelWorldOptions {
  readonly minutes: number
  readonly seed: number
}

export interface ModelReport extends ModelOptions {
  /** How long it ran: fewer than were asked for if it found something wrong. */
  readonly minutes: number
  readonly acknowledged: number
  readonly files: number
  readonly disturbances: Readonly<Record<string, number>>
  readonly problems: readonly string[]
  /** Milliseconds until all daemons knew a new link, and the end of one: the longest time. */
  readonly disagreement: number
}

/**
 * Clients change files in any way at the same time: uploads, links, jobs, archives, renames, on two disks, by one or more daemons.
 * Daemons are killed and disks frozen in between. After each disturbance, everything that was acknowledged is compared with the
 * disk. Ends at the first comparison that finds something wrong.
 */
export async function runModel(options: ModelOptions): Promise<ModelReport> {
  const { minutes, seed } = options
  const random = seeded(seed)
  await using world = await openModelWorld(options, random)
  for (const folder of ['u', 'u/in', 'usb', 'usb/u', 'z', 'usb/z', 'n', 'p', 'r'])
    await world.ask('POST', `/api/resources/${folder}/`)
  const problems: string[] = []
  const expected = new Expectations()
  const session: Session = {
    world,
    expected,
    random,
    acknowledged: 0,
    unclear: new Set<string>(),
    unfinished: new Set<string>(),
    link: await makeLink(world),
    folders: keptFresh(() => [...foldersBelow(world.root, 'u'), ...foldersBelow(world.root, 'usb/u')]),
    report: (problem) => void problems.push(problem),
  }
  const counters: OwnFiles[] = []
  for (let index = 0; index < 4; index += 1) counters.push(await counter({ world, name: `n/counter-${index}` }))
  const own: OwnFiles[] = []
  for (let index = 0; index < CLIENTS; index += 1) {
    const client = `c${index}`
    own.push(replacedFiles({ world, client }), await renamedFiles({ world, client }))
  }
  const gate = createGate()
  const begun = Date.now()
  const end = begun + minutes * 60_000
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
  let disagreement = 0
  const names = Object.keys(world.disturbances)
  for (let turn = 0; isOngoing(); turn += 1) {
    await sleep(Math.min(QUIET, Math.max(0, end - Date.now())))
    // Every other time, a daemon is killed.
    const name = turn % 2 === 0 ? 'kill -9' : (names[((turn - 1) / 2) % names.length] ?? '')
    await world.disturbances[name]?.()
    disturbances[name] = (disturbances[name] ?? 0) + 1
    await sleep(2000)
    await gate.close(CLIENTS)
    await compare(session, [...counters, ...own], problems)
    if (problems.length === 0) disagreement = Math.max(disagreement, await timeToAgree(session))
    gate.open()
    process.stdout.write(problems.length === 0 ? '.' : 'F')
  }
  const ran = (Date.now() - begun) / 60_000
  await Promise.all(clients)
  await compare(session, [...counters, ...own], problems)
  problems.push(...(await leftovers(session)))
  return {
    ...options,
    minutes: ran,
    acknowledged: session.acknowledged,
    files: expected.stored,
    disturbances,
    problems,
    disagreement,
  }
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
  const made = await world.ask('POST', '/api/share/u/in', { body, headers: JSON_BODY })
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

/** Compares with the disk while no client and no job changes anything. */
async function compare(session: Session, own: readonly OwnFiles[], problems: string[]): Promise<void> {
  const { world, expected, unclear } = session
  for (let tries = 0; (await world.unfinishedJobs()) > 0; tries += 1) {
    if (tries === 600) problems.push('jobs do not end')
    if (tries === 600) return
    await sleep(200)
  }
  for (const path of unclear) expected.allowTwice(namesBelow(join(world.root, path)))
  unclear.clear()
  problems.push(...expected.problemsIn([world.root]), ...own.flatMap((files) => files.problems()))
}

/** Changes something at one daemon, and looks at all. */
async function timeToAgree({ world, report }: Session): Promise<number> {
  const until = async (sees: (links: string) => boolean): Promise<number> => {
    const begun = performance.now()
    for (;;) {
      const answers = await world.askAll('/api/shares')
      const time = performance.now() - begun
      if (answers.every(({ status, text }) => status === 200 && sees(text))) return time
      if (time > AGREED) report(`the daemons disagree about a link: ${answers.map(({ status }) => status).join(', ')}`)
      if (time > AGREED) return time
      await sleep(20)
    }
  }
  const acknowledged = async (method: string, path: string, request?: Request): Promise<string> => {
    // Right after a disturbance, a change may still be refused, or its answer lost: then the link is gone the second time.
    for (;;) {
      const { status, text } = await world.ask(method, path, request)
      if ((status >= 200 && status < 300) || status === 404) return text
      await sleep(200)
    }
  }
  const made = await acknowledged('POST', '/api/share/n', { body: '{}', headers: JSON_BODY })
  const { hash } = JSON.parse(made) as { readonly hash: string }
  const time = await until((links) => links.includes(hash))
  await acknowledged('DELETE', `/api/share/${hash}`)
  return Math.max(time, await until((links) => !links.includes(hash)))
}

/** Hidden files that no unfinished upload needs, and that remain after a clean restart and its sweep. */
async function leftovers({ world, unfinished }: Session): Promise<string[]> {
  for (const path of unfinished) await world.ask('DELETE', path)
  const restartAll = async () => {
    for (let index = 0; index < world.daemons; index += 1) await world.restart(index, 'SIGTERM')
  }
  await restartAll()
  if (world.daemons > 1) {
    // The leases of dead daemons have to expire before others sweep what they have left. Only the daemon that has the chores
    // sweeps, so one after the other must give them away.
    await sleep(EXPIRY)
    await restartAll()
  }
  const records = await world.uploadRecords()
  const left = () => stagedBelow(world.root).filter((path) => !records.includes(basename(path)))
  // On a busy machine, looking through thousands of folders takes a minute.
  for (let tries = 0; tries < 300 && left().length > 0; tries += 1) await sleep(1000)
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
