import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Request } from '../client.ts'
import { MANY } from '../data.ts'
import { hasBrowser } from '../page/browser.ts'
import { uploadByPage } from '../page/upload.ts'
import { secondsOf } from '../processes.ts'
import type { Row, Sample } from '../row.ts'
import type { Workbench } from '../workbench.ts'

const FOLDERS = 100
/** Clients of uploads at once. */
const CLIENTS = 8
const REPEATS = 3

/** What happens to ten thousand small files at once: files a second, and the processor seconds of one. */
export function manyFileRows(workbench: Workbench): Row[] {
  const { data, daemon, ask, send, loop, at } = workbench
  const perFile = (seconds: number, { cpu = 0, memory = 0 }: Omit<Sample, 'value'>): Sample => ({
    value: MANY / seconds,
    cpu: cpu / MANY,
    memory,
  })
  const asked = async (...words: Parameters<typeof ask>) => {
    const sample = await ask(...words)
    return perFile(sample.seconds, sample)
  }
  const row = (name: string, run: Row['run'], more: Partial<Row> = {}): Row => ({
    name,
    unit: 'files/s',
    goal: {},
    repeats: REPEATS,
    run,
    ...more,
  })
  /** Of a shell command line with the paths of a tree and of a new folder; what it writes is on disk at the end. */
  const shell = (name: string, line: string, source: () => Promise<string> | string) => ({
    name,
    needs: name.split(' ')[0] ?? '',
    run: async () => {
      const [from, to] = [join(data.root, await source()), join(data.root, data.newFolder())]
      return MANY / (await secondsOf(`${line} && sync -f "$2"`, from, to))
    },
  })
  const tree = () => data.newTree(FOLDERS)
  const zipped = async () => {
    const name = `${tree()}.zip`
    const address = `http://127.0.0.1:${daemon.port}/api/raw/${name.replace('.zip', '/')}?algo=zip`
    const answer = await fetch(address, { headers: { 'X-Auth': daemon.token } })
    writeFileSync(join(data.root, name), new Uint8Array(await answer.arrayBuffer()))
    return name
  }
  const writes = { name: 'write in C', run: async () => 1000 / (await loop('write')).value }

  return [
    row(
      'copy a tree of 10k files',
      async () => {
        const path = `/api/resources/${tree()}?action=copy&destination=/${data.newFolder()}/copy`
        return await asked([{ method: 'PATCH', path, headers: { 'Content-Length': '0' } }])
      },
      { limit: shell('cp -r', 'cp -r "$1" "$2"', tree) },
    ),
    row(
      'delete it',
      async () =>
        await asked([{ method: 'DELETE', path: `/api/resources/${tree()}/`, headers: { 'Content-Length': '0' } }]),
      { limit: shell('rm -r', 'rm -r "$1"', tree) },
    ),
    row(
      'extract it from a zip',
      async () => {
        const path = `/api/extract/${await zipped()}`
        const body = JSON.stringify({ destination: `/${data.newFolder()}` })
        writeFileSync(at('extract.json'), body)
        const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }
        return await asked([{ method: 'POST', path, headers }], { file: at('extract.json') })
      },
      { limit: shell('unzip', 'unzip -q "$1" -d "$2"', zipped) },
    ),
    row('upload it by tus', uploadByTus, { limit: writes }),
    row('upload it by curl -T', uploadByCurl, { goal: { cpu: 0.00075 }, limit: writes }),
    ...(hasBrowser()
      ? [
          row('upload it by the page', async () => await uploadByPage(workbench), {
            goal: { value: 1000 },
            limit: writes,
          }),
        ]
      : []),
  ]

  /** A request that creates each file, and one with its bytes; both over the same connection. */
  async function uploadByTus(): Promise<Sample> {
    const content = at('many-kilobytes')
    writeFileSync(content, Buffer.alloc(1024 * MANY, 121))
    const folder = data.newFolder()
    const requests = (client: number): Request[] =>
      share(client).flatMap((index) => {
        const own = { path: `/api/tus/${folder}/${index}.txt` }
        const headers = { 'X-Auth': daemon.token, 'Tus-Resumable': '1.0.0' }
        const type = 'application/offset+octet-stream'
        const part = { 'Upload-Offset': '0', 'Content-Length': '1024', 'Content-Type': type }
        return [
          { ...own, method: 'POST', headers: { ...headers, 'Upload-Length': '1024', 'Content-Length': '0' } },
          { ...own, method: 'PATCH', headers: { ...headers, ...part } },
        ]
      })
    return await timed(async (client) => {
      await send(daemon.port, requests(client), { file: content })
    })
  }

  async function uploadByCurl(): Promise<Sample> {
    const [from, to] = [join(data.root, data.newTree(CLIENTS)), data.newFolder()]
    const configOf = (client: number) => at(`curl-${client}`)
    const base = `http://127.0.0.1:${daemon.port}/api/resources/${to}`
    for (const client of clients) {
      const files = share(client).map(
        (index) => `upload-file = "${from}/${client}/${index}.txt"\nurl = "${base}/${index}.txt"\n`,
      )
      writeFileSync(configOf(client), files.join(''))
    }
    return await timed(async (client) => {
      const line = 'curl -sSf --fail-early -X POST -H "X-Auth: $2" -K "$1" >/dev/null'
      await secondsOf(line, configOf(client), daemon.token)
    })
  }

  async function timed(work: (client: number) => Promise<void>): Promise<Sample> {
    const { result, ...costs } = await daemon.meter.during(async () => {
      const start = performance.now()
      await Promise.all(clients.map(work))
      return (performance.now() - start) / 1000
    })
    return perFile(result, costs)
  }
}

const clients = Array.from({ length: CLIENTS }, (_, index) => index)

/** Indexes of the files that a client uploads. */
function share(client: number): number[] {
  return Array.from({ length: MANY / CLIENTS }, (_, index) => index * CLIENTS + client)
}
