import type { FastifyInstance } from 'fastify'
import { getPreview } from '../../../api/files/previews.ts'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'
import { sendPreview } from '../../send/preview.ts'

export function previewRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, getPreview, async (call) => {
    const { actor, params, query, request } = call
    const format = { size: params.size, accept: request.headers.accept }
    await using preview = await services.previews.open(actor, `/${params['*']}`, format)
    return await sendPreview(call, preview, query.inline === 'true')
  })
}
