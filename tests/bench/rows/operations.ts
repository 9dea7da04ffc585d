import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Request } from '../client.ts'
import type { Goal, Row } from '../row.ts'
import type { Workbench } from '../workbench.ts'

const API = '/api/resources'
const COUNT = 1000
const KILOBYTE = { 'Content-Length': '1024' }
const EMPTY = { 'Content-Length': '0' }

type Kind = 'write' | 'folder' | 'rename' | 'delete' | 'list'

interface Operation {
  readonly name: string
  /** In milliseconds. */
  readonly goal: { readonly cpu: number; readonly value?: number }
  readonly limit?: Kind
  /** Whether the files that it works on exist before. */
  readonly isOnFiles?: boolean
  /** @param path of a file without its ending, encoded */
  request(path: string): Request
}

/** One small operation after the other, over one connection: what each costs the processor and takes by the clock. */
export function operationRows({ data, ask, daemon, loop, nodeLoop, at }: Workbench): Row[] {
  const atLeast = (kind: Kind) => ({ name: `${kind} in C`, run: async () => (await loop(kind)).value })

  const rowOf = ({ name, goal, limit, isOnFiles = false, request }: Operation): Row => ({
    name,
    unit: 'ms',
    goal: perOperation(goal),
    ...(limit && { limit: atLeast(limit) }),
    async run() {
      const folder = data.newFolder()
      const content = at('kilobytes')
      writeFileSync(content, Buffer.alloc(1024 * COUNT, 121))
      const indexes = Array.from({ length: COUNT }, (_, index) => index)
      if (isOnFiles) for (const index of indexes) writeFileSync(join(data.root, folder, `${index}.txt`), 'x')
      const requests = indexes.map((index) => request(`/${folder}/${index}`))
      const sample = await ask(requests, { file: content })
      return { ...sample, value: (sample.seconds * 1000) / COUNT, cpu: (sample.cpu ?? 0) / COUNT }
    },
  })

  const listed = () => `/api/resources/${data.folderOf(100)}/`
  const small = () => `/api/raw/${data.kilobyte()}`
  const unchanged = async () => {
    const answer = await fetch(`http://127.0.0.1:${daemon.port}${small()}`, { headers: { 'X-Auth': daemon.token } })
    await answer.arrayBuffer()
    return { path: small(), headers: { 'If-None-Match': answer.headers.get('etag') ?? '' } }
  }
  const reading = (name: string, goal: Operation['goal'], request: () => Promise<Request>, limit?: Kind): Row => ({
    name,
    unit: 'ms',
    goal: perOperation(goal),
    ...(limit && { limit: atLeast(limit) }),
    run: async () => {
      const sample = await ask([await request()], { count: COUNT * 3 })
      return { ...sample, value: (sample.seconds * 1000) / sample.requests, cpu: (sample.cpu ?? 0) / sample.requests }
    },
  })

  return [
    {
      name: 'new file by a bare loop in Node.js',
      unit: 'ms',
      goal: {},
      limit: atLeast('write'),
      run: nodeLoop,
    },
    rowOf({
      name: 'new file by POST',
      goal: { cpu: 0.75, value: 1 },
      limit: 'write',
      request: (path) => ({ method: 'POST', path: `${API}${path}.txt`, headers: KILOBYTE }),
    }),
    rowOf({
      name: 'overwrite by PUT',
      goal: { cpu: 0.85 },
      limit: 'write',
      isOnFiles: true,
      request: (path) => ({ method: 'PUT', path: `${API}${path}.txt`, headers: KILOBYTE }),
    }),
    rowOf({
      name: 'make a folder',
      goal: { cpu: 0.65 },
      limit: 'folder',
      request: (path) => ({ method: 'POST', path: `${API}${path}/`, headers: EMPTY }),
    }),
    rowOf({
      name: 'rename',
      goal: { cpu: 0.55 },
      limit: 'rename',
      isOnFiles: true,
      request: (path) => ({
        method: 'PATCH',
        path: `${API}${path}.txt?action=rename&destination=${path}.moved`,
        headers: EMPTY,
      }),
    }),
    rowOf({
      name: 'delete',
      goal: { cpu: 0.45 },
      limit: 'delete',
      isOnFiles: true,
      request: (path) => ({ method: 'DELETE', path: `${API}${path}.txt`, headers: EMPTY }),
    }),
    reading('list 100', { cpu: 1.5 }, async () => ({ path: listed() }), 'list'),
    reading('GET 1 kB, one by one', { cpu: 0.1 }, async () => ({ path: small() })),
    reading('304, one by one', { cpu: 0.08 }, unchanged),
  ]
}

/** Goals of a row are in seconds of the processor. */
function perOperation({ cpu, value }: Operation['goal']): Goal {
  return { cpu: cpu / 1000, ...(value !== undefined && { value }) }
}
