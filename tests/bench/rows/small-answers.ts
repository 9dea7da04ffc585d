import type { Load, Request } from '../client.ts'
import type { Row } from '../row.ts'
import type { Workbench } from '../workbench.ts'

const LOAD: Load = { connections: 64, seconds: 2 }

export function smallAnswerRows({ data, daemon, ask, send, nginx }: Workbench): Row[] {
  const rate = async (port: number, request: Request) => {
    const { requests, seconds } = await send(port, [request], LOAD)
    return requests / seconds
  }
  const ownRate = async (request: Request) => {
    const sample = await ask([request], LOAD)
    return { ...sample, value: sample.requests / sample.seconds }
  }
  const own = () => `/api/raw/${data.kilobyte()}`
  const tagOf = async (port: number, path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'X-Auth': daemon.token } })
    await answer.arrayBuffer()
    return { 'If-None-Match': answer.headers.get('etag') ?? '' }
  }
  return [
    {
      name: 'GET 1 kB',
      unit: 'requests/s',
      goal: { ratio: 0.49 },
      limit: {
        name: 'nginx',
        needs: 'nginx',
        run: async () => await rate(await nginx(), { path: `/${data.kilobyte()}` }),
      },
      run: async () => await ownRate({ path: own() }),
    },
    {
      name: '304',
      unit: 'requests/s',
      goal: { ratio: 0.25 },
      limit: {
        name: 'nginx',
        needs: 'nginx',
        run: async () => {
          const path = `/${data.kilobyte()}`
          return await rate(await nginx(), { path, headers: await tagOf(await nginx(), path) })
        },
      },
      run: async () => await ownRate({ path: own(), headers: await tagOf(daemon.port, own()) }),
    },
  ]
}
