import type { FastifyInstance } from 'fastify'
import { getRaw } from '../../api/files.ts'
import type { Context } from '../../context.ts'
import { mount } from '../mount.ts'
import { sendDownload } from '../send-download.ts'

export function rawRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, getRaw, async ({ actor, params, query, signal, request, reply }) => {
    await using download = await services.downloads.open(actor, `/${params['*']}`, query, signal)
    return await sendDownload(request, reply, download, query.inline === 'true')
  })
}
