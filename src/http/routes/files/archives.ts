import type { FastifyInstance } from 'fastify'
import { compressFiles, extractArchive, getArchived, listArchive } from '../../../api/files/archives.ts'
import type { Context } from '../../../context.ts'
import { baseOf } from '../../../domain/server/server-options.ts'
import { mount } from '../../mount.ts'
import { beginsDownload, sendOriginal } from '../../send/download.ts'
import { sendJsonParts } from '../../send/send.ts'
import { awaitJob } from '../../send/await-job.ts'

export function archiveRoutes(app: FastifyInstance, { services, options }: Context): void {
  const { archiveContents, extraction, compression } = services
  const base = baseOf(options)

  mount(app, listArchive, async ({ actor, params, query, reply, signal }) => {
    const parts = await archiveContents.list(actor, `/${params['*']}`, query.inside ?? '/', {
      encoding: query.encoding,
      signal,
    })
    return await sendJsonParts(reply, parts)
  })

  mount(app, getArchived, async ({ actor, params, query, request, reply, signal }) => {
    await using file = await archiveContents.open(actor, `/${params['*']}`, query.inside ?? '/', {
      encoding: query.encoding,
      signal,
    })
    const inline = query.inline === 'true'
    if (beginsDownload(request, inline ? file.name : undefined)) request.effect = 'downloaded'
    return await sendOriginal(request, reply, file, inline)
  })

  mount(app, extractArchive, async ({ actor, params, body, request, reply }) => {
    const started = await extraction.extract(actor, `/${params['*']}`, body)
    request.effect = 'created'
    return (await awaitJob(request, reply, started, base)) ?? (await reply)
  })

  mount(app, compressFiles, async ({ actor, params, body, request, reply }) => {
    const started = await compression.compress(actor, `/${params['*']}`, body)
    request.effect = 'created'
    return (await awaitJob(request, reply, started, base)) ?? (await reply)
  })
}
