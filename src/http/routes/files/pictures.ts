import type { FastifyInstance } from 'fastify'
import { editPicture } from '../../../api/files/pictures.ts'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'

export function pictureRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, editPicture, async ({ actor, params, body, request, signal }) => {
    const made = await services.pictureEdits.save(actor, `/${params['*']}`, body, signal)
    request.effect = 'created'
    return made
  })
}
