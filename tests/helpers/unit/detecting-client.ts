import { likelyEncodings } from '../../../src/platform/text/detect-encoding.ts'
import { type Client, createClient } from '../../../ui/src/api/client.ts'

/** A client of the page that gets the encodings of samples by the detection of the server. Answers nothing else. */
export function detectingClient(): Client {
  return createClient({
    baseUrl: '',
    token: () => undefined,
    onRenewHint: () => undefined,
    onRejected: () => undefined,
    async fetch(_url, init) {
      const { sample } = JSON.parse(init?.body as string) as { sample: string }
      const bytes = Uint8Array.from(Buffer.from(sample, 'base64'))
      return Response.json({ encodings: await likelyEncodings(bytes, 'content') })
    },
  })
}
