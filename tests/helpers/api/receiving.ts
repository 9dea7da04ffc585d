import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LinkView, ShareTermsChange } from '../../../src/domain/shares/share-terms.ts'
import type { ShareView } from '../../../src/domain/shares/share.ts'
import { serveShared, shareOf } from './shared.ts'
import type { Client, TestApp, TestAppInput } from './test-app.ts'

export interface ReceivingWorld extends AsyncDisposable {
  readonly server: TestApp
  readonly ann: Client
  readonly link: ShareView
  /** Names in the shared folder. */
  names(): Promise<string[]>
}

/** A link of ann to her folder docs that takes files. */
export async function receiving(
  terms: ShareTermsChange = {},
  input: TestAppInput = {},
  body = {},
): Promise<ReceivingWorld> {
  const { server, ann } = await serveShared(input, { create: true })
  const link = await shareOf(ann, '/docs', { ...body, terms: { allows: 'upload', ...terms } })
  return {
    server,
    ann,
    link,
    names: async () => (await readdir(join(server.root, 'docs'))).filter((name) => !name.startsWith('.')).toSorted(),
    [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose](),
  }
}

export const linkOf = async ({ server, link }: ReceivingWorld) =>
  (await server.ask('GET', `/api/public/link/${link.hash}`)).json<LinkView>()
export const contentOf = async ({ server }: ReceivingWorld, path: string) =>
  await readFile(join(server.root, 'docs', path), 'utf8')
