import type { SampleBytes } from '../samples/sample-bytes.ts'
import { sendBody } from './send-body.ts'

export interface TusTarget {
  /** Address of the daemon, with a trailing slash. */
  readonly url: string
  readonly token: string
  /** Percent-encoded path from the root. */
  readonly path: string
}

export interface TusAnswer {
  readonly status: number
  readonly offset: number
}

interface Part {
  readonly start: number
  readonly end: number
}

const addressOf = ({ url, path }: TusTarget) => new URL(`api/tus${path}`, url)

export async function beginUpload(target: TusTarget, length: number): Promise<number> {
  const headers = { 'X-Auth': target.token, 'Upload-Length': String(length) }
  return (await fetch(addressOf(target), { method: 'POST', headers })).status
}

export async function askOffset(target: TusTarget): Promise<TusAnswer> {
  const answer = await fetch(addressOf(target), { method: 'HEAD', headers: { 'X-Auth': target.token } })
  return { status: answer.status, offset: Number(answer.headers.get('upload-offset') ?? Number.NaN) }
}

/**
 * Sends one chunk, as fast as the server accepts it.
 *
 * @param onSent called with the number of bytes of the file sent so far
 * @returns undefined if the connection broke
 */
export async function sendPart(
  target: TusTarget,
  bytes: SampleBytes,
  part: Part,
  onSent: (offset: number) => void = () => undefined,
): Promise<TusAnswer | undefined> {
  const headers = {
    'X-Auth': target.token,
    'Content-Type': 'application/offset+octet-stream',
    'Content-Length': String(part.end - part.start),
    'Upload-Offset': String(part.start),
  }
  const answer = await sendBody(addressOf(target), { method: 'PATCH', headers }, reported(bytes, part, onSent))
  return answer && { status: answer.statusCode ?? 0, offset: Number(answer.headers['upload-offset'] ?? Number.NaN) }
}

function* reported(bytes: SampleBytes, { start, end }: Part, onSent: (offset: number) => void): Generator<Buffer> {
  let place = start
  for (const piece of bytes.pieces(start, end)) {
    yield piece
    place += piece.length
    onSent(place)
  }
}
