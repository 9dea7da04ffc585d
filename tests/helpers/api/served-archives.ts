import { testApp, type Client, type TestApp } from './test-app.ts'

const LONG_NAME = `${'long '.repeat(40)}.txt`
export const TEXT = 'one line of text\n'.repeat(200_000)
export const NOISE = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919 * (i >> 3)) & 0xff))

const FILES = {
  'docs/a.txt': 'alpha',
  'docs/größe/日本 😀.txt': 'umlauts',
  'docs/empty/': '',
  'docs/none.txt': '',
  [`docs/${LONG_NAME}`]: 'long',
  'docs/text.log': TEXT,
  'docs/noise.bin': NOISE,
  'other.txt': 'other',
}

export async function serveArchives(): Promise<{ server: TestApp; ann: Client } & AsyncDisposable> {
  const server = await testApp({ files: FILES })
  const ann = await server.user('ann', { download: true })
  return { server, ann, [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose]() }
}
