import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { baseOf } from './base-url.ts'

/** How the page is called and looks when it is put on a home screen. */
export async function sendManifest(reply: FastifyReply, { options, store }: Context): Promise<FastifyReply> {
  const { branding } = store.snapshot().settings
  const base = baseOf(options)
  const name = branding.name === '' ? 'filemgr' : branding.name
  const color = branding.color === '' ? {} : { theme_color: branding.color }
  const manifest = {
    name,
    short_name: name.slice(0, 12),
    start_url: `${base}/`,
    scope: `${base}/`,
    display: 'minimal-ui',
    ...color,
    icons: [{ src: `${base}/static/img/logo.svg`, sizes: 'any', type: 'image/svg+xml' }],
  }
  void reply.header('cache-control', 'no-cache').type('application/manifest+json; charset=utf-8')
  return await reply.send(JSON.stringify(manifest))
}
