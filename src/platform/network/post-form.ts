import { fail } from '../../domain/errors.ts'

const TIME_LIMIT = 5000
const LARGEST_ANSWER = 64 * 1024

export interface FormAnswer {
  readonly status: number
  readonly text: string
}

/**
 * Posts a form by TLS, and follows no redirect: the answer of another host is not the one that was asked.
 *
 * @throws INTERNAL when there is no whole answer within 5 s, or it is longer than 64 KiB
 */
export type PostForm = (url: string, fields: Readonly<Record<string, string>>) => Promise<FormAnswer>

/** @param trusted certificates to believe in place of the system's */
export function createPostForm(trusted?: string): PostForm {
  return async (url, fields) => {
    const body = new URLSearchParams(fields).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) }
    const signal = AbortSignal.timeout(TIME_LIMIT)
    const { request } = await import('node:https')
    try {
      return await new Promise<FormAnswer>((resolve, reject) => {
        const asked = request(url, { method: 'POST', headers, signal, agent: false, ...(trusted && { ca: trusted }) })
        asked.once('error', reject)
        asked.once('response', (response) => {
          collect(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject)
        })
        asked.end(body)
      })
    } catch (error) {
      return fail('INTERNAL', `${new URL(url).host} cannot be asked`, {}, { cause: error })
    }
  }
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of stream) {
    size += part.length
    if (size > LARGEST_ANSWER) throw new Error('the answer is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
