import type { FastifyInstance, FastifyReply } from 'fastify'
import { clearCache, getCache, getPreview, getSubtitles } from '../../api/files/previews.ts'
import type { Operation } from '../../api/operation.ts'
import type { Context } from '../../context.ts'
import { type Call, mount } from '../mount.ts'
import { getSharedSubtitles } from '../../api/files/public.ts'
import type { Actor, Visitor } from '../../domain/accounts/actor.ts'
import { etagOf, evaluateConditions } from '../send/conditional.ts'
import { splitShared } from '../protocol/caller.ts'
import { sendableBytes, sendFile, validatorsOf } from '../send/file.ts'
import { announceFile, sendOriginal, showInline } from '../send/download.ts'
import { BYTES } from '../send/inline-content.ts'
import { fail } from '../../domain/errors.ts'
import type { Preview } from '../../services/previews/previews.ts'

export function previewRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, getPreview, async (call) => {
    const { actor, params, query, request } = call
    const format = { size: params.size, accept: request.headers.accept }
    await using preview = await services.previews.open(actor, `/${params['*']}`, format)
    return await sendPreview(call, preview, query.inline === 'true')
  })
}

export function cacheRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, getCache, async ({ actor }) => await services.previewCache.size(actor))
  mount(app, clearCache, async ({ actor }) => await services.previewCache.clear(actor))
}

const WEBVTT = 'text/vtt'

/** Subtitles of the user's own files and, behind the guard, of a share. */
export function subtitleRoutes(app: FastifyInstance, { services }: Context): void {
  type SubtitlesCall = Pick<Call<typeof getSubtitles>, 'signal' | 'request' | 'reply' | 'query' | 'isHead'>

  const send = async (who: Actor | Visitor, path: string, call: SubtitlesCall) => {
    const { query, signal, request, reply, isHead } = call
    await using subtitles = await services.subtitles.open(who, path)
    if (who.kind === 'visitor') await services.visits.admitDownload(who, { shown: true, isHead })
    const { file } = subtitles
    const inline = query.inline === 'true'
    announceFile(reply, file.name, inline)
    const converted = await subtitles.converted(signal)
    if (inline) showInline(reply, file.name, new Uint8Array(), WEBVTT)
    const sent = converted ? sendableBytes(converted, file.modified, etagOf(file)) : file
    return await sendFile(request, reply, sent, WEBVTT)
  }

  mount(app, getSubtitles, async (call) => await send(call.actor, `/${call.params['*']}`, call))
  mount(
    app,
    getSharedSubtitles,
    async (call) => await send(call.visit.visitor, splitShared(call.params['*']).path, call),
    { noRedirect: true },
  )
}

const NOTHING = new Uint8Array()

/** Sends a preview, or 304 if the client has it. @throws NOT_IMPLEMENTED if there is none; errors of creating it */
export async function sendPreview(
  call: Pick<Call<Operation>, 'request' | 'reply' | 'signal'>,
  preview: Preview,
  inline: boolean,
): Promise<FastifyReply> {
  const { request, reply } = call
  announceFile(reply, preview.name, inline)
  if (preview.kind === 'none') fail('NOT_IMPLEMENTED', 'there is no preview of this')
  if (preview.kind === 'original') return await sendOriginal(request, reply, preview.file, inline)

  const { name, modified, id, mediaType } = preview
  const etag = `"${id}"`
  // A client that has the preview gets 304 without creating it again.
  const mustSend = evaluateConditions(request.headers, validatorsOf({ size: 0, modified, etag })) === 'send'
  const bytes = mustSend ? await preview.bytes(call.signal) : NOTHING
  void reply.header('vary', 'Accept')
  const type = inline ? showInline(reply, name, bytes, mediaType) : BYTES
  return await sendFile(request, reply, sendableBytes(bytes, modified, etag), type)
}
