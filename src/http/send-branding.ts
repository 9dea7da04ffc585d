import type { FastifyReply, FastifyRequest } from 'fastify'
import { mediaTypeOf } from '../domain/media/media-type.ts'
import type { Branding } from '../services/branding.ts'
import { sendFile } from './send-file.ts'
/** Opened by itself, a picture or a stylesheet runs nothing, whatever somebody wrote into the SVG. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

/** Answers with a branding file, if there is one. Browsers ask for it each time: a new logo is to be seen at once. */
export async function sendBranding(
  branding: Branding,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  await using found = await branding.open(name)
  if (found === undefined) return false
  const type = mediaTypeOf(name) ?? 'application/octet-stream'
  void reply.headers({
    'content-type': type.startsWith('text/') ? `${type.split(';')[0] ?? type}; charset=utf-8` : type,
    'content-security-policy': POLICY,
  })
  await sendFile(request, reply, found.file)
  return true
}
