import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { startPostgres, type TestPostgres } from '../../helpers/postgres.ts'
import { startS3Server } from '../../helpers/cluster/s3-server.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { meterOf, type Meter } from '../meter.ts'
import { startNodes } from './nodes.ts'
import { prepare } from './operations.ts'

/** What one operation costs. */
export interface Cost {
  /** Processor milliseconds of all daemons. */
  readonly cpu: number
  /** Processor milliseconds of PostgreSQL. */
  readonly databaseCpu: number
  /** Statements that PostgreSQL ran. */
  readonly queries: number
  /** Requests to the S3 server. */
  readonly requests: number
}

/** Costs by operation, for a number of daemons. */
export type Costs = ReadonlyMap<string, Cost>

const AT_REST = 'at rest, for a second'

/** Seconds over which daemons without requests are measured. */
const REST = 5
const WARM_UP = 5
const STATISTICS = ["shared_preload_libraries = 'pg_stat_statements'"]

export type Kind = 'alone' | 'disk' | 's3'

/** Measures daemons with a new database and a new bucket or folder. */
export async function costsOf(kind: Kind, count: number): Promise<Costs> {
  await using held = new AsyncDisposableStack()
  const folder = held.use(await tempFolder({ 'files/': '', 'access.log': '' }))
  const s3 = kind === 's3' ? held.use(await startS3Server(folder.at('access.log'))) : undefined
  const postgres = kind === 'alone' ? undefined : held.use(await startPostgres(STATISTICS))
  const database = await postgres?.database()
  if (database !== undefined) await postgres?.query(database, 'CREATE EXTENSION pg_stat_statements')
  const nodes = held.use(
    await startNodes({
      count,
      root: s3 === undefined ? folder.at('files') : `s3://${s3.bucket}`,
      dataOf: (number) => folder.at(`data${number}`),
      env: { ...s3?.env, ...(database !== undefined && { FILEMGR_STORE: database }) },
    }),
  )
  const databaseMeters = postgres === undefined ? [] : [meterOf(await postgres.pid())]
  const queries = async () => (postgres && database ? await queriesOf(postgres, database) : 0)
  const requests = () => readFileSync(folder.at('access.log'), 'utf8').split('\n').length

  const during = async (work: () => Promise<unknown>): Promise<Cost & { seconds: number }> => {
    const before = { queries: await queries(), requests: requests() }
    const start = performance.now()
    const inDaemons = async () => await cpuDuring(nodes.meters, work)
    let cpu = 0
    const databaseCpu = await cpuDuring(databaseMeters, async () => (cpu = await inDaemons()))
    const seconds = (performance.now() - start) / 1000
    // The log of the S3 server is written a little later.
    await setTimeout(100)
    return {
      cpu,
      databaseCpu,
      seconds,
      queries: (await queries()) - before.queries,
      requests: requests() - before.requests,
    }
  }

  const operations = await prepare(nodes)
  const rest = scaled(await during(async () => await setTimeout(REST * 1000)), REST)
  const costs = new Map<string, Cost>([[AT_REST, rest]])
  for (const { name, times, run } of operations) {
    for (let number = 0; number < WARM_UP; number++) await run(nodes, number)
    const whole = await during(async () => {
      for (let number = WARM_UP; number < times + WARM_UP; number++) await run(nodes, number)
    })
    costs.set(name, scaled(without(whole, rest, whole.seconds), times))
  }
  return costs
}

function each(of: (field: keyof Cost) => number): Cost {
  return { cpu: of('cpu'), databaseCpu: of('databaseCpu'), queries: of('queries'), requests: of('requests') }
}

function scaled(cost: Cost, times: number): Cost {
  return each((field) => cost[field] / times)
}

/** Subtracts the cost of idle daemons. */
function without(cost: Cost, rest: Cost, seconds: number): Cost {
  return each((field) => Math.max(0, cost[field] - rest[field] * seconds))
}

/** @returns milliseconds */
async function cpuDuring(meters: readonly Meter[], work: () => Promise<unknown>): Promise<number> {
  const [meter, ...others] = meters
  if (meter === undefined) {
    await work()
    return 0
  }
  let rest = 0
  const { cpu } = await meter.during(async () => (rest = await cpuDuring(others, work)))
  return cpu * 1000 + rest
}

async function queriesOf(postgres: TestPostgres, database: string): Promise<number> {
  const sql = "SELECT sum(calls) FROM pg_stat_statements WHERE userid = 'filemgr'::regrole"
  return Number(await postgres.query(database, sql))
}
