import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { LOGO } from '../../domain/settings/branding.ts'
import { baseOf } from '../../domain/server/server-options.ts'

interface ManifestIcon {
  readonly src: string
  readonly sizes: string
  readonly type: string
  readonly purpose?: 'maskable'
}

/** The default icons. A branding file of the same name replaces one. */
const ICONS: readonly ManifestIcon[] = [
  { src: 'img/icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: 'img/icon-512.png', sizes: '512x512', type: 'image/png' },
  { src: 'img/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
]

/** The web app manifest: name and look of the installed app, and the share target for other apps. */
export async function sendManifest(reply: FastifyReply, context: Context): Promise<FastifyReply> {
  const { options, store } = context
  const { branding } = store.snapshot().settings
  const base = baseOf(options)
  const name = branding.name === '' ? 'filemgr' : branding.name
  const manifest = {
    id: `${base}/`,
    name,
    short_name: name.slice(0, 12),
    start_url: `${base}/`,
    scope: `${base}/`,
    display: 'standalone',
    background_color: branding.theme === 'dark' ? '#0f141b' : '#f7f8fa',
    ...(branding.color !== '' && { theme_color: branding.color }),
    icons: (await iconsOf(context)).map(({ src, ...icon }) => ({ src: `${base}/static/${src}`, ...icon })),
    // Handled by the service worker, ui/src/worker/offline-worker.ts.
    share_target: {
      action: `${base}/receive`,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { title: 'title', text: 'text', url: 'url', files: [{ name: 'files', accept: ['*/*'] }] },
    },
  }
  void reply.header('cache-control', 'no-cache').type('application/manifest+json; charset=utf-8')
  return await reply.send(JSON.stringify(manifest))
}

/** With a custom logo, only custom icons are offered: ours would not match it. */
async function iconsOf({ services: { branding } }: Context): Promise<readonly ManifestIcon[]> {
  const drawn: ManifestIcon = { src: LOGO, sizes: 'any', type: 'image/svg+xml' }
  if (!(await branding.has(LOGO))) return [drawn, ...ICONS]
  const own = await Promise.all(ICONS.map(async (icon) => ((await branding.has(icon.src)) ? [icon] : [])))
  return [drawn, ...own.flat()]
}
