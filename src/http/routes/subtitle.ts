import type { FastifyInstance } from 'fastify'
import { getSharedSubtitles } from '../../api/public.ts'
import { getSubtitles } from '../../api/previews.ts'
import type { Context } from '../../context.ts'
import type { Actor, Visitor } from '../../domain/actor.ts'
import { type Call, mount } from '../mount.ts'
import { etagOf } from '../protocol/conditional.ts'
import { splitShared } from '../protocol/share-request.ts'
import { sendableBytes, sendFile } from '../send-file.ts'
import { announceFile, showInline } from '../send-original.ts'
const WEBVTT = 'text/vtt'

/** Those of one's own files, and behind the guard those of a share. */
export function subtitleRoutes(app: FastifyInstance, { services }: Context): void {
  type Asked = Pick<Call<typeof getSubtitles>, 'signal' | 'request' | 'reply' | 'query'>

  const send = async (who: Actor | Visitor, path: string, { query, signal, request, reply }: Asked) => {
    await using subtitles = await services.subtitles.open(who, path)
    const { file } = subtitles
    const inline = query.inline === 'true'
    announceFile(reply, file.name, inline)
    const converted = await subtitles.converted(signal)
    if (inline) showInline(reply, file.name, new Uint8Array(), WEBVTT)
    void reply.header('content-type', WEBVTT)
    return await sendFile(request, reply, converted ? sendableBytes(converted, file.modified, etagOf(file)) : file)
  }

  mount(app, getSubtitles, async (call) => await send(call.actor, `/${call.params['*']}`, call))
  mount(
    app,
    getSharedSubtitles,
    async (call) => await send(call.visit.visitor, splitShared(call.params['*']).path, call),
    { noRedirect: true },
  )
}
