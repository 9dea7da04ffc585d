import type { ShareView } from '../../../src/domain/shares/share.ts'
import type { Receipt } from '../../../src/domain/shares/share-terms.ts'
import type { Answer, RequestExtras, TestApp } from './test-app.ts'

type Server = Pick<TestApp, 'ask'>
type Link = Pick<ShareView, 'hash'>

export interface Sending {
  /** The announced length, if different from that of the content. */
  readonly length?: number
  /** Name of the visitor. */
  readonly from?: string
  readonly headers?: RequestExtras['headers']
}

const PART = { 'content-type': 'application/offset+octet-stream' }

/** The reply to a visitor who begins to send a file. */
export async function announce(
  server: Server,
  { hash }: Link,
  name: string,
  { length = 0, from, headers }: Sending,
): Promise<Answer> {
  const metadata = from === undefined ? {} : { 'upload-metadata': `from ${Buffer.from(from).toString('base64')}` }
  return await server.ask('POST', `/api/public/tus/${hash}/${encodeURIComponent(name)}`, {
    headers: { 'upload-length': String(length), ...metadata, ...headers },
  })
}

/** Sends bytes to the address of a file. */
export async function sendBytes(server: Server, address: string, payload: string, offset = 0): Promise<Answer> {
  return await server.ask('PATCH', address, { headers: { ...PART, 'upload-offset': String(offset) }, payload })
}

/** Sends a file. @returns its address. @throws unless it is taken */
export async function send(
  server: Server,
  link: Link,
  name: string,
  content: string,
  sending: Sending = {},
): Promise<string> {
  const begun = await announce(server, link, name, { length: Buffer.byteLength(content), ...sending })
  if (begun.statusCode !== 201) throw new Error(`sending ${name}: ${begun.statusCode} ${begun.body}`)
  const address = String(begun.headers.location)
  if (content !== '') {
    const { statusCode, body } = await sendBytes(server, address, content)
    if (statusCode !== 204) throw new Error(`sending ${name}: ${statusCode} ${body}`)
  }
  return address
}

export async function receiptOf(server: Server, address: string): Promise<Receipt> {
  return (await server.ask('GET', address)).json<Receipt>()
}
