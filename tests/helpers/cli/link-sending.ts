import type { SampleBytes } from '../samples/sample-bytes.ts'
import { sendBody } from './send-body.ts'

/**
 * Begins to send a file by a link, without an account.
 *
 * @param server address of the server, with a slash at its end
 * @returns the path of the file on the server, which anyone may continue
 */
export async function beginSending(server: string, hash: string, name: string, length: number): Promise<string> {
  const headers = { 'Upload-Length': String(length) }
  const answer = await fetch(new URL(`api/public/tus/${hash}/${name}`, server), { method: 'POST', headers })
  const location = answer.headers.get('location')
  if (answer.status !== 201 || location === null) throw new Error(`${answer.status} ${await answer.text()}`)
  return location
}

/** The number of bytes that have arrived. */
export async function arrivedAt(file: URL): Promise<number> {
  const answer = await fetch(file, { method: 'HEAD' })
  if (answer.status !== 200) throw new Error(`HEAD ${file.pathname}: ${answer.status}`)
  return Number(answer.headers.get('upload-offset'))
}

/**
 * Sends one part.
 *
 * @param onSent called with the number of bytes of the file sent so far
 * @returns the status of the reply; undefined if the connection broke
 */
export async function sendPart(
  file: URL,
  bytes: SampleBytes,
  { start, end }: { readonly start: number; readonly end: number },
  onSent: (offset: number) => void = () => undefined,
): Promise<number | undefined> {
  const headers = {
    'Content-Type': 'application/offset+octet-stream',
    'Content-Length': String(end - start),
    'Upload-Offset': String(start),
  }
  function* reported() {
    let offset = start
    for (const piece of bytes.pieces(start, end)) {
      yield piece
      onSent((offset += piece.length))
    }
  }
  return (await sendBody(file, { method: 'PATCH', headers }, reported()))?.statusCode
}
