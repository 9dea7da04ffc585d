import type { FastifyReply } from 'fastify'
import type { getSubtitles } from '../../api/files/subtitles.ts'
import type { Subtitles } from '../../services/files/subtitles.ts'
import type { Call } from '../mount.ts'
import { etagOf } from './conditional.ts'
import { announceFile, showInline } from './download.ts'
import { sendableBytes, sendFile } from './file.ts'

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
