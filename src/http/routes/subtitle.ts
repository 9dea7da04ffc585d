import type { FastifyInstance } from 'fastify'
import { getSubtitles } from '../../api/subtitles.ts'
import type { Context } from '../../context.ts'
import { mount } from '../mount.ts'
import { etagOf } from '../protocol/conditional.ts'
import { sendableBytes, sendFile } from '../send-file.ts'
import { announceFile, showInline } from '../send-original.ts'

const WEBVTT = 'text/vtt'

export function subtitleRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, getSubtitles, async ({ actor, params, query, signal, request, reply }) => {
    await using subtitles = await services.subtitles.open(actor, `/${params['*']}`)
    const { file } = subtitles
    const inline = query.inline === 'true'
    announceFile(reply, file.name, inline)
    const converted = await subtitles.converted(signal)
    if (inline) showInline(reply, file.name, new Uint8Array(), WEBVTT)
    void reply.header('content-type', WEBVTT)
    return await sendFile(request, reply, converted ? sendableBytes(converted, file.modified, etagOf(file)) : file)
  })
}
