import type { FastifyInstance, FastifyReply } from 'fastify'
import { getSubtitles } from '../../../api/files/subtitles.ts'
import type { Context } from '../../../context.ts'
import { mount, type Call } from '../../mount.ts'
import type { Subtitles } from '../../../services/files/subtitles.ts'
import { etagOf } from '../../send/conditional.ts'
import { announceFile, showInline } from '../../send/download.ts'
import { sendableBytes, sendFile } from '../../send/file.ts'

export function subtitleRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, getSubtitles, async (call) => {
    await using subtitles = await services.subtitles.open(call.actor, `/${call.params['*']}`)
    return await sendSubtitles(call, subtitles)
  })
}

const WEBVTT = 'text/vtt'

/** Sends subtitles as WebVTT, converted if they are in another format. */
export async function sendSubtitles(
  { query, signal, request, reply }: Pick<Call<typeof getSubtitles>, 'signal' | 'request' | 'reply' | 'query'>,
  subtitles: Subtitles,
): Promise<FastifyReply> {
  const { file } = subtitles
  const inline = query.inline === 'true'
  announceFile(reply, file.name, inline)
  const converted = await subtitles.converted(signal)
  if (inline) showInline(reply, file.name, new Uint8Array(), WEBVTT)
  const sent = converted ? sendableBytes(converted, file.modified, etagOf(file)) : file
  return await sendFile(request, reply, sent, WEBVTT)
}
