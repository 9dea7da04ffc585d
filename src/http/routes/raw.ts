import type { FastifyInstance, FastifyReply } from 'fastify'
import { getRaw } from '../../api/files.ts'
import type { Context } from '../../context.ts'
import { SNIFFED_BYTES } from '../../domain/media-type.ts'
import type { OpenFile } from '../../storage/storage.ts'
import { mount } from '../mount.ts'
import { disposition } from '../protocol/disposition.ts'
import { inlineContent } from '../protocol/inline-content.ts'
import { sendArchive } from '../send-archive.ts'
import { sendFile } from '../send-file.ts'

export function rawRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, getRaw, async ({ actor, params, query, signal, request, reply }) => {
    await using download = await services.downloads.open(actor, `/${params['*']}`, query, signal)
    if (download.kind === 'archive') return await sendArchive(reply, download.archive)
    if (query.inline === 'true') await showInline(reply, download.file)
    else saveAsFile(reply, download.file)
    return await sendFile(request, reply, download.file)
  })
}

function saveAsFile(reply: FastifyReply, { name }: OpenFile): void {
  void reply.headers({
    'content-disposition': disposition('attachment', name),
    'content-type': 'application/octet-stream',
  })
}

async function showInline(reply: FastifyReply, file: OpenFile): Promise<void> {
  const { type, policy } = inlineContent(file.name, await file.head(SNIFFED_BYTES))
  void reply.headers({
    'content-disposition': disposition('inline', file.name),
    'content-type': type,
    'content-security-policy': policy,
    // Our own page shows documents in a frame.
    'x-frame-options': 'SAMEORIGIN',
  })
}
