import type { SampleBytes } from '../samples/sample-bytes.ts'
import { sendBody } from './send-body.ts'

export interface TusTarget {
  /** Of the daemon, with a slash at its end. */
  readonly url: string
  readonly token: string
  /** Percent-encoded, from the root on. */
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
 * Sends one part, as fast as it is taken.
 *
 * @param onSent told how far the whole file has left
 * @returns undefined when the connection broke
 */
export async function sendPart(
  target: TusTarget,
  bytes: SampleBytes,
  part: Part,
  onSent: (place: number) => void = () => undefined,
): Promise<TusAnswer | undefined> {
  const headers = {
    'X-Auth': target.token,
    'Content-Type': 'application/offset+octet-stream',
    'Content-Length': String(part.end - part.start),
    'Upload-Offset': String(part.start),
  }
  const answer = await sendBody(addressOf(target), { method: 'PATCH', headers }, told(bytes, part, onSent))
  return answer && { status: answer.statusCode ?? 0, offset: Number(answer.headers['upload-offset'] ?? Number.NaN) }
}

function* told(bytes: SampleBytes, { start, end }: Part, onSent: (place: number) => void): Generator<Buffer> {
  let place = start
  for (const piece of bytes.pieces(start, end)) {
    yield piece
    place += piece.length
    onSent(place)
  }
}
