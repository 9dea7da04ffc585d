import type { FastifyInstance } from 'fastify'
import { getPreview } from '../../api/previews.ts'
import type { Context } from '../../context.ts'
import { mount } from '../mount.ts'
import { sendPreview } from '../send-preview.ts'

export function previewRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, getPreview, async ({ actor, params, query, signal, request, reply }) => {
    const question = { size: params.size, accept: request.headers.accept }
    await using preview = await services.previews.open(actor, `/${params['*']}`, question)
    return await sendPreview(request, reply, preview, { inline: query.inline === 'true', signal })
  })
}
