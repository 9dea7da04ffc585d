import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Request } from '../client.ts'
import { GIBIBYTE } from '../data.ts'
import { secondsOf } from '../processes.ts'
import type { Row } from '../row.ts'
import type { Workbench } from '../workbench.ts'

const PART = 10 * 2 ** 20

export function transferRows({ data, ask, send, limitServer }: Workbench): Row[] {
  const file = () => join(data.root, data.gibibyte())
  const atLeast = (requests: readonly Request[], waits: boolean) => async () =>
    (await send(await limitServer(waits), requests, { file: file() })).seconds
  const upload = async (requests: readonly Request[]) => {
    const sample = await ask(requests, { file: file() })
    rmSync(join(data.root, 'uploaded.bin'))
    return sample
  }
  const whole = { method: 'POST', path: '/api/resources/uploaded.bin', headers: { 'Content-Length': String(GIBIBYTE) } }
  const parts = partsOf('/api/tus/uploaded.bin')
  return [
    {
      name: 'GET 1 GiB',
      unit: 's',
      goal: { ratio: 1.05 },
      limit: {
        name: 'read, send',
        run: async () => (await send(await limitServer(true), [{ path: `/${data.gibibyte()}` }])).seconds,
      },
      run: async () => await ask([{ path: `/api/raw/${data.gibibyte()}` }]),
    },
    {
      name: 'POST 1 GiB',
      unit: 's',
      goal: { ratio: 1.59, cpu: 1.5 },
      limit: { name: 'recv, write, fdatasync', run: atLeast([whole], true) },
      run: async () => await upload([whole]),
    },
    {
      name: 'tus 1 GiB',
      unit: 's',
      goal: { ratio: 2.5 },
      limit: { name: 'recv, write, fdatasync of each 10 MiB', run: atLeast(parts.slice(1), true) },
      run: async () => await upload(parts),
    },
    {
      name: 'sha256 of 1 GiB',
      unit: 's',
      goal: { ratio: 0.99 },
      limit: {
        name: 'openssl',
        needs: 'openssl',
        run: async () => await secondsOf('openssl dgst -sha256 "$1" >/dev/null', file()),
      },
      run: async () => await ask([{ path: `/api/resources/${data.gibibyte()}?checksum=sha256` }]),
    },
  ]
}

/** Creates an upload, then sends its chunks. */
function partsOf(path: string): Request[] {
  const creation = { method: 'POST', path, headers: { 'Upload-Length': String(GIBIBYTE), 'Content-Length': '0' } }
  const count = Math.ceil(GIBIBYTE / PART)
  const parts = Array.from({ length: count }, (_, index) => ({
    method: 'PATCH',
    path,
    headers: {
      'Content-Type': 'application/offset+octet-stream',
      'Content-Length': String(Math.min(PART, GIBIBYTE - index * PART)),
      'Upload-Offset': String(index * PART),
    },
  }))
  return [creation, ...parts]
}
