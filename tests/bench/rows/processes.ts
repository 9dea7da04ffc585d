import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { startPostgres } from '../../helpers/postgres.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import type { Load } from '../client.ts'
import { FILEMGR, PASSWORD } from '../daemon.ts'
import { meterOf } from '../meter.ts'
import { firstLine, startProgram } from '../processes.ts'
import type { Row, Sample } from '../row.ts'
import type { Workbench } from '../workbench.ts'

const WARM_UP: Load = { connections: 64, seconds: 1 }
const LOAD: Load = { connections: 64, seconds: 3 }

/** Client and PostgreSQL have a processor of their own, unless there are only two. */
const COUNT = Math.max(2, availableParallelism() - 1)
const HAS_ROOM = COUNT < availableParallelism()

/** Daemons behind one port, compared with one daemon. */
export function processRows({ data, send }: Workbench): Row[] {
  const rateOf = async (count: number, path: string): Promise<Sample> => {
    await using postgres = await startPostgres()
    await using folder = await tempFolder()
    const place = [
      '--data',
      folder.at('data'),
      'serve',
      data.root,
      '--port',
      '0',
      '--json',
      '--log',
      folder.at('x.log'),
    ]
    const env = { FILEMGR_STORE: await postgres.database(), FILEMGR_PASSWORD: PASSWORD }
    await using program = startProgram(FILEMGR, [...place, '--processes', String(count)], env)
    const { url, token } = JSON.parse(await firstLine(program)) as { url: string; token: string }
    const port = Number(new URL(url).port)
    // Meanwhile the daemons load what they do not need for the start.
    await setTimeout(1000)
    const request = { path, headers: { 'X-Auth': token } }
    await send(port, [request], WARM_UP)
    const { result, cpu, memory } = await meterOf(program.pid).during(async () => await send(port, [request], LOAD))
    return { value: result.requests / result.seconds, cpu, memory }
  }
  const row = (name: string, path: () => string): Row => ({
    name: `${name}, ${COUNT} processes`,
    unit: 'requests/s',
    goal: { ratio: HAS_ROOM ? 0.8 * COUNT : 1.2 },
    limit: { name: 'one process', run: async () => (await rateOf(1, path())).value },
    run: async () => await rateOf(COUNT, path()),
  })
  return [
    row('GET 1 kB', () => `/api/raw/${data.kilobyte()}`),
    row('list of a folder of 100', () => `/api/resources/${data.folderOf(100)}/`),
  ]
}
