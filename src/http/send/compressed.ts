import type { Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'
import type { FastifyReply } from 'fastify'

/** Bytes; compressing smaller replies saves nothing significant. */
export const MIN_COMPRESSED = 1500

/** In order of preference. Even the fastest level of each saves about 90% of a listing. */
const ENCODERS = {
  zstd: () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: () => createGzip({ level: 1 }),
} satisfies Record<string, () => Transform>

const ENCODINGS = Object.keys(ENCODERS) as (keyof typeof ENCODERS)[]

/** Sends a text with the client's preferred encoding; short texts are not compressed. */
export function sendCompressed(reply: FastifyReply, body: string): FastifyReply {
  const encoder = Buffer.byteLength(body) < MIN_COMPRESSED ? undefined : encoderFor(reply)
  if (encoder !== undefined && reply.request.method === 'HEAD') return reply.send()
  encoder?.end(body)
  return reply.send(encoder ?? body)
}

/** The encoder for the client's preferred encoding, after setting its headers; undefined if the client accepts none. */
export function encoderFor(reply: FastifyReply): Transform | undefined {
  const encoding = preferredEncoding(reply.request.headers['accept-encoding'])
  if (encoding === undefined) return undefined
  const vary = reply.getHeader('vary')
  void reply.headers({
    'content-encoding': encoding,
    vary: vary ? `${String(vary)}, accept-encoding` : 'accept-encoding',
  })
  return ENCODERS[encoding]()
}

/** Among equal weights, the first of `ENCODERS` (RFC 9110, 12.5.3). */
function preferredEncoding(header: string | undefined): keyof typeof ENCODERS | undefined {
  const weight = weightsIn(header)
  const best = ENCODINGS.reduce((one, other) => (weight(other) > weight(one) ? other : one))
  return weight(best) > 0 ? best : undefined
}

/** Whether a client with this Accept-Encoding can read one of these encodings. */
export function acceptsOneOf(encodings: readonly string[], header: string | undefined): boolean {
  const weight = weightsIn(header)
  return encodings.some((encoding) => weight(encoding) > 0)
}

/** Returns the weight of an encoding, 0 if the header excludes it or does not name it. */
function weightsIn(header = ''): (encoding: string) => number {
  const weights = new Map(header.split(',').map(weightOf))
  return (encoding) => weights.get(encoding) ?? weights.get('*') ?? 0
}

function weightOf(part: string): [name: string, weight: number] {
  const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return [name, weight === undefined ? 1 : Number(weight.slice(2))]
}
