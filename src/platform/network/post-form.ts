import { fail } from '../../domain/errors.ts'

const TIMEOUT = 5000
const MAX_RESPONSE_SIZE = 64 * 1024

export interface FormResponse {
  readonly status: number
  readonly text: string
}

/**
 * Posts a form over TLS. Follows no redirects, because only the given host is trusted.
 *
 * @throws INTERNAL if the response is not complete within 5 s, or larger than 64 KiB
 */
export type PostForm = (url: string, fields: Readonly<Record<string, string>>) => Promise<FormResponse>

/** @param trusted certificates to trust instead of the system's */
export function createPostForm(trusted?: string): PostForm {
  return async (url, fields) => {
    const body = new URLSearchParams(fields).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) }
    const signal = AbortSignal.timeout(TIMEOUT)
    const https = await import('node:https')
    const options = { method: 'POST', headers, signal, agent: false, ...(trusted && { ca: trusted }) }
    try {
      return await new Promise<FormResponse>((resolve, reject) => {
        const request = https.request(url, options)
        request.once('error', reject)
        request.once('response', (response) => {
          collect(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject)
        })
        request.end(body)
      })
    } catch (error) {
      return fail('INTERNAL', `${new URL(url).host} cannot be reached`, {}, { cause: error })
    }
  }
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of stream) {
    size += part.length
    if (size > MAX_RESPONSE_SIZE) throw new Error('the response is too large')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
