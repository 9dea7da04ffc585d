import type { FastifyInstance } from 'fastify'
import { getRaw, selectDownloads } from '../../../api/files/downloads.ts'
import type { Context } from '../../../context.ts'
import { baseOf } from '../../../domain/server/server-options.ts'
import { mount } from '../../mount.ts'
import { beginsDownload, sendDownload } from '../../send/download.ts'
import { encodePath } from '../../../domain/files/name-text.ts'

export function rawRoutes(app: FastifyInstance, { services, options }: Context): void {
  mount(app, getRaw, async (call) => {
    const { actor, params, query, request, reply } = call
    await using download = await services.downloads.open(actor, `/${params['*']}`, query, call)
    const inline = query.inline === 'true'
    if (beginsDownload(request, inline && download.kind === 'file' ? download.file.name : undefined))
      request.effect = 'downloaded'
    return await sendDownload(request, reply, download, { inline, wantsDirect: query.direct === 'true' })
  })

  mount(
    app,
    selectDownloads,
    async ({ actor, params, query, body }) => {
      const selection = await services.downloads.select(actor, `/${params['*']}`, body.files)
      const address = `${baseOf(options)}/api/raw/${encodePath(params['*'])}`
      return { address: withQuery(address, { selection, algo: query.algo }) }
    },
    { noRedirect: true, bodyLimit: SELECTION_LIMIT },
  )
}

/** Bytes of a request with the names of files to download. */
export const SELECTION_LIMIT = 8 * 1024 * 1024

export function withQuery(address: string, query: Readonly<Record<string, string | undefined>>): string {
  const sent = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) sent.set(name, value)
  return `${address}?${sent.toString()}`
}
