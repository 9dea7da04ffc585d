import type { Load, Request } from '../client.ts'
import type { Row, Sample } from '../row.ts'
import type { Workbench } from '../workbench.ts'
import { coldThumbnails } from './thumbnails.ts'

const SECONDS = 3

/** Latency of a small reply while the daemon does other work. */
export function neighbourRows(workbench: Workbench): Row[] {
  const { data, ask } = workbench
  const beside = (
    name: string,
    value: number,
    requests?: () => Promise<Request[]> | Request[],
    load: Load = {},
  ): Row => ({
    name: `p99 of a small GET ${name}`,
    unit: 'ms',
    goal: { value },
    run: async () => {
      const others = (await requests?.()) ?? []
      const [probe] = await Promise.all([probed(), others.length > 0 && ask(others, { seconds: SECONDS, ...load })])
      return probe
    },
  })
  const probed = async (): Promise<Sample> => {
    const sample = await ask([{ path: `/api/raw/${data.kilobyte()}` }], { seconds: SECONDS, pause: 5 })
    return { ...sample, value: sample.p99 * 1000 }
  }
  const listing = async (): Promise<Sample> => await ask([{ path: `/api/resources/${data.folderOf(10_000)}/` }])
  const checksums = () => [{ path: `/api/resources/${data.gibibyte()}?checksum=sha512` }]
  return [
    beside('alone', 5),
    beside('beside zip', 6, () => [{ path: `/api/raw/${data.archived()}/?algo=zip` }]),
    beside('beside list 100k', 8, () => [{ path: `/api/resources/${data.folderOf(100_000)}/` }]),
    // Each only once: repeated requests are served from the cache.
    beside('beside thumbnails', 8, async () => await coldThumbnails(workbench), { connections: 4 }),
    beside('beside checksums of 1 GiB', 8, checksums, { connections: 3 }),
    {
      name: 'list 10k beside checksums of 1 GiB',
      unit: 's',
      goal: { ratio: 2 },
      limit: { name: 'list 10k alone', run: async () => (await listing()).value },
      run: async () => {
        const [sample] = await Promise.all([listing(), ask(checksums(), { seconds: SECONDS, connections: 3 })])
        return sample
      },
    },
  ]
}
