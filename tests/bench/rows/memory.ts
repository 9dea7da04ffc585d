import { setTimeout } from 'node:timers/promises'
import { startDaemon, type Daemon } from '../daemon.ts'
import type { Row } from '../row.ts'
import type { Workbench } from '../workbench.ts'
import { ARCHIVE_FORMATS } from './archives.ts'
import { coldThumbnails } from './thumbnails.ts'

/** Memory of a new daemon and its children afterwards. */
export function memoryRows(workbench: Workbench): Row[] {
  const { data, at, askOf } = workbench
  const after = (name: string, value: number, work: (daemon: Daemon) => Promise<unknown>): Row => ({
    name: `memory ${name}`,
    unit: 'MB',
    goal: { value },
    repeats: 1,
    run: async () => {
      await using daemon = await startDaemon(at('memory-data'), data.root)
      const { cpu, memory } = await daemon.meter.during(async () => await work(daemon))
      return { value: daemon.meter.memory(), cpu, memory }
    },
  })
  return [
    // Fifteen seconds after its start, V8 gives back the memory that only the start needed.
    after('at rest', 80, async () => await setTimeout(20_000)),
    after('after list 100k', 150, async (daemon) => {
      await askOf(daemon, [{ path: `/api/resources/${data.folderOf(100_000)}/` }])
    }),
    after('after 40 thumbnails', 250, async (daemon) => {
      await askOf(daemon, await coldThumbnails(workbench), { connections: 4 })
    }),
    after('60 s after all archive formats', 200, async (daemon) => {
      await askOf(
        daemon,
        ARCHIVE_FORMATS.map((algo) => ({ path: `/api/raw/${data.archived()}/?algo=${algo}` })),
      )
      await setTimeout(60_000)
    }),
  ]
}
