import { PASSWORD } from '../daemon.ts'
import type { Nodes } from './nodes.ts'

export interface Operation {
  readonly name: string
  /** How often it is measured. */
  readonly times: number
  run(nodes: Nodes, number: number): Promise<unknown>
}

const MiB = 1024 * 1024
const FILES = 100
const KILOBYTE = new Uint8Array(1000).fill(120)
const PART = new Uint8Array(10 * MiB).fill(120)
const post = (body: string | Uint8Array<ArrayBuffer> = '') => ({ method: 'POST', body })
const to = (path: string) => `?action=rename&destination=${encodeURIComponent(encodeURIComponent(path))}`

/** Creates the files, and returns the operations to measure in this order: some use the files of earlier ones. */
export async function prepare({ ask }: Nodes): Promise<Operation[]> {
  for (const folder of ['hundred/', 'new/', 'moved/']) await ask(`api/resources/${folder}`, post())
  for (let number = 0; number < FILES; number++) await ask(`api/resources/hundred/${number}.txt`, post(KILOBYTE))
  await ask('api/resources/large.bin', post(PART))
  const link = await ask('api/share/hundred/0.txt', post('{}'))
  const { hash } = JSON.parse(Buffer.from(link.bytes).toString()) as { hash: string }
  return [
    {
      name: `open a folder of ${FILES} files`,
      times: 200,
      run: async (nodes) => await nodes.ask('api/resources/hundred/'),
    },
    { name: 'download 1 kB', times: 300, run: async (nodes) => await nodes.ask('api/raw/hundred/0.txt') },
    { name: 'download 1 kB by a link', times: 300, run: async (nodes) => await nodes.ask(`api/public/dl/${hash}`) },
    { name: 'download 10 MiB', times: 15, run: async (nodes) => await nodes.ask('api/raw/large.bin') },
    {
      name: 'upload 1 kB',
      times: 200,
      run: async (nodes, number) => await nodes.ask(`api/resources/new/${number}.txt`, post(KILOBYTE)),
    },
    {
      name: 'upload 20 MiB in two parts',
      times: 6,
      run: async (nodes, number) => await upload(nodes, `up${number}.bin`),
    },
    {
      name: 'rename a file',
      times: 100,
      run: async (nodes, number) =>
        await nodes.ask(`api/resources/new/${number}.txt${to(`/new/${number}.md`)}`, { method: 'PATCH' }),
    },
    {
      name: 'move a file to another folder',
      times: 100,
      run: async (nodes, number) =>
        await nodes.ask(`api/resources/new/${number}.md${to(`/moved/${number}.txt`)}`, { method: 'PATCH' }),
    },
    {
      name: 'move a file to the trash',
      times: 100,
      run: async (nodes, number) =>
        await nodes.ask(`api/resources/moved/${number}.txt?trash=true`, { method: 'DELETE' }),
    },
    { name: 'create a link', times: 100, run: async (nodes) => await nodes.ask('api/share/hundred/1.txt', post('{}')) },
    {
      name: 'sign in',
      times: 15,
      run: async (nodes) =>
        await nodes.ask('api/login', post(JSON.stringify({ username: 'admin', password: PASSWORD }))),
    },
  ]
}

async function upload({ ask }: Nodes, name: string): Promise<void> {
  const path = `api/tus/${name}`
  await ask(path, { method: 'POST', headers: { 'upload-length': String(2 * PART.length) } })
  for (const offset of [0, PART.length]) {
    const headers = { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }
    await ask(path, { method: 'PATCH', headers, body: PART })
  }
}
