import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { Request } from '../client.ts'
import { PICTURES } from '../data.ts'
import { secondsOf } from '../processes.ts'
import type { Row } from '../row.ts'
import type { Workbench } from '../workbench.ts'

const VIPS = `cd "$1" && mkdir -p "$2" && ls pictures/p*.jpg |
VIPS_CONCURRENCY=1 xargs -P 4 -I@ vipsthumbnail @ --size 256x256 --smartcrop centre -o "$2/%s.jpg[Q=75]"`

/** Thumbnails of all pictures, with an empty cache. */
export async function coldThumbnails({ data }: Workbench): Promise<Request[]> {
  const names = await data.pictures()
  const now = new Date()
  for (const name of names) utimesSync(join(data.root, name), now, now)
  return names.map((name) => ({ path: `/api/preview/thumb/${name}?inline=true` }))
}

export function thumbnailRows(workbench: Workbench): Row[] {
  const { data, ask, send, helloServer, at } = workbench
  const each = async (requests: readonly Request[], count: number) => {
    const sample = await ask(requests, { connections: 4, count })
    return { ...sample, value: sample.value / count, cpu: sample.cpu === undefined ? 0 : sample.cpu / count }
  }
  return [
    {
      name: 'thumbnail of 12 megapixels',
      unit: 's',
      goal: { ratio: 0.92 },
      limit: {
        name: 'vipsthumbnail',
        needs: 'vipsthumbnail',
        run: async () => {
          await data.pictures()
          return (await secondsOf(VIPS, data.root, at('vips'))) / PICTURES
        },
      },
      run: async () => await each(await coldThumbnails(workbench), PICTURES),
    },
    {
      name: 'thumbnail from the cache',
      unit: 's',
      goal: { value: 0.00046 },
      limit: {
        name: 'hello',
        run: async () =>
          (await send(await helloServer(), [{ path: '/' }], { connections: 4, count: 2000 })).seconds / 2000,
      },
      run: async () => {
        const names = await data.pictures()
        return await each(
          names.map((name) => ({ path: `/api/preview/thumb/${name}?inline=true` })),
          2000,
        )
      },
    },
  ]
}
