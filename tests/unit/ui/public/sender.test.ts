import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import type { LinkView } from '../../../../src/domain/shares/share-terms.ts'
import { createClient } from '../../../../ui/src/api/client.ts'
import type { sendFile, SendRequest } from '../../../../ui/src/public/send/send-file.ts'
import { createSendMemory, type SendMemory } from '../../../../ui/src/public/send/send-memory.ts'
import { createSender } from '../../../../ui/src/public/send/sender.ts'
import { eventually } from '../../../helpers/patience.ts'

const FILE = new File(['ten bytes!'], 'a: film.mp4', { lastModified: 1000 })
/** A link with little room left: another file has taken nearly all. */
const LINK = { types: [], maxFileBytes: 0, bytesLeft: 4, filesLeft: 1 } as Partial<LinkView> as LinkView

function storage(): Storage {
  const items = new Map<string, string>()
  return {
    get length() {
      return items.size
    },
    key: (index: number) => [...items.keys()][index] ?? null,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  } as Partial<Storage> as Storage
}

/** A link that has received so many bytes of the files with these ids, all of them ten bytes long. */
async function linkWith(received: Readonly<Record<string, number>>) {
  const asked: string[] = []
  const server = createServer(({ method = '', url = '' }, reply) => {
    const id = url.split('/').at(-1) ?? ''
    asked.push(`${method} ${id}`)
    const bytes = received[id]
    if (bytes === undefined || (method === 'GET' && bytes < 10)) reply.writeHead(404).end()
    else if (method === 'HEAD') reply.writeHead(200, { 'Upload-Offset': bytes }).end()
    else if (method === 'DELETE') reply.writeHead(204).end()
    else reply.setHeader('Content-Type', 'application/json').end(`{"sha256":"sum of ${id}","removableUntil":0}`)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    asked,
    baseUrl,
    addressOf: (id: string) => `${baseUrl}/api/public/tus/Ab3/${id}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A page that shows the link; files are sent as the test says. */
function pageOf(baseUrl: string, memory: SendMemory, link: LinkView = LINK) {
  const requests: (SendRequest & { finish: (id: string) => void })[] = []
  const send: typeof sendFile = async (_target, request) =>
    await new Promise((resolve, reject) => {
      requests.push({ ...request, finish: resolve })
      request.signal.addEventListener('abort', () => reject(request.signal.reason as Error))
    })
  const client = createClient({ baseUrl, token: () => undefined, onRenewHint: vi.fn(), onRejected: vi.fn() })
  const target = { client, hash: 'Ab3', token: undefined, chunkSize: 0, retryCount: 0, memory }
  const sender = createSender({ target, link: () => link, onDone: () => undefined, send })
  const rows = () => sender.files.get().map(({ name, state, sent, receipt }) => [name, state, sent, receipt?.sha256])
  return { sender, requests, rows }
}

describe('sending to a link', () => {
  it('continues with a file that was begun, even if the link has no room for another', async () => {
    await using link = await linkWith({ one: 7 })
    const memory = createSendMemory('Ab3', storage(), storage())
    memory.begin(FILE, link.addressOf('one'))
    const { sender, rows, requests } = pageOf(link.baseUrl, memory)
    await sender.restore()
    expect(rows()).toEqual([[FILE.name, 'interrupted', 7, undefined]])
    sender.add([FILE, new File(['other'], 'b')])
    expect(rows()).toEqual([
      [FILE.name, 'sending', 7, undefined],
      ['b', 'failed', 0, undefined],
    ])
    expect(requests.map(({ file }) => file)).toEqual([FILE])
  })

  it('continues with the file that the visitor has chosen for it, and refuses another of its name', async () => {
    await using link = await linkWith({ one: 7 })
    const memory = createSendMemory('Ab3', storage(), storage())
    memory.begin(FILE, link.addressOf('one'))
    const { sender, rows, requests } = pageOf(link.baseUrl, memory)
    await sender.restore()
    sender.resume(1, [new File(['other text'], FILE.name, { lastModified: 1001 })])
    expect(sender.files.get()).toMatchObject([{ state: 'interrupted', problem: 'changed' }])
    sender.resume(1, [FILE])
    expect(rows()).toEqual([[FILE.name, 'sending', 7, undefined]])
    expect(sender.files.get()).toMatchObject([{ problem: undefined }])
    expect(requests.map(({ file }) => file)).toEqual([FILE])
  })

  it('keeps files until the visitor has given a name, which it remembers for this link', async () => {
    await using link = await linkWith({})
    const lasting = storage()
    const asking = { ...LINK, bytesLeft: null, asksName: true }
    const { sender, rows, requests } = pageOf(link.baseUrl, createSendMemory('Ab3', lasting, storage()), asking)
    sender.add([FILE])
    expect(rows()).toEqual([[FILE.name, 'waiting', 0, undefined]])
    expect(requests).toEqual([])
    sender.sendAs('Bob')
    expect(requests.map(({ file, from }) => [file, from])).toEqual([[FILE, 'Bob']])
    const again = pageOf(link.baseUrl, createSendMemory('Ab3', lasting, storage()), asking)
    again.sender.add([FILE])
    expect(again.requests.map(({ from }) => from)).toEqual(['Bob'])
    const other = pageOf(link.baseUrl, createSendMemory('Xy9', lasting, storage()), asking)
    expect(other.sender.from.get()).toBe('')
  })

  it('says that no more files are taken, rather than that there is no room', async () => {
    await using link = await linkWith({})
    const { sender } = pageOf(link.baseUrl, createSendMemory('Ab3', storage(), storage()), { ...LINK, filesLeft: 0 })
    sender.add([new File(['a'], 'a')])
    expect(sender.files.get()).toMatchObject([{ state: 'failed', problem: 'count' }])
  })

  it('says that the server cannot be reached until there is progress', async () => {
    await using link = await linkWith({})
    const { sender, requests } = pageOf(link.baseUrl, createSendMemory('Ab3', storage(), storage()), {
      ...LINK,
      bytesLeft: null,
    })
    sender.add([FILE])
    sender.add([FILE])
    expect(requests.length).toBe(1)
    requests[0]?.onLost()
    expect(sender.files.get()).toMatchObject([{ state: 'sending', isLost: true }])
    requests[0]?.onProgress(5)
    expect(sender.files.get()).toMatchObject([{ state: 'sending', isLost: false, sent: 5 }])
  })

  it('keeps receipts when the page is loaded again, even that of a file that ended while it was closed', async () => {
    await using link = await linkWith({ one: 10, two: 10 })
    const [lasting, ofTab] = [storage(), storage()]
    const memory = createSendMemory('Ab3', lasting, ofTab)
    const { sender, rows, requests } = pageOf(link.baseUrl, memory, { ...LINK, bytesLeft: null })
    sender.add([FILE])
    requests[0]?.finish('one')
    await eventually(() => expect(rows()).toEqual([[FILE.name, 'sent', 10, 'sum of one']]))
    memory.begin({ name: 'b', size: 10, lastModified: 2 }, link.addressOf('two'))
    memory.begin({ name: 'lost', size: 10, lastModified: 2 }, link.addressOf('three'))
    const again = pageOf(link.baseUrl, createSendMemory('Ab3', lasting, ofTab))
    await again.sender.restore()
    await again.sender.restore()
    expect(again.rows()).toEqual([
      [FILE.name, 'sent', 10, 'sum of one'],
      ['b', 'sent', 10, 'sum of two'],
    ])
    expect(memory.begun()).toEqual([])
    // Another tab, perhaps of somebody else, does not show them.
    const other = pageOf(link.baseUrl, createSendMemory('Ab3', lasting, storage()))
    await other.sender.restore()
    expect(other.rows()).toEqual([])
  })

  it('deletes a cancelled file on the server, so that it no longer counts', async () => {
    await using link = await linkWith({ one: 5 })
    const memory = createSendMemory('Ab3', storage(), storage())
    const { sender, rows, requests } = pageOf(link.baseUrl, memory, { ...LINK, bytesLeft: null })
    sender.add([FILE])
    memory.begin(FILE, link.addressOf('one'))
    await sender.remove(1)
    expect(requests[0]?.signal.aborted).toBe(true)
    expect(rows()).toEqual([])
    expect(memory.addressOf(FILE)).toBeUndefined()
    expect(link.asked).toEqual(['DELETE one'])
  })
})
