import type { FastifyInstance } from 'fastify'
import { getSubtitles } from '../../../api/files/subtitles.ts'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'
import { sendSubtitles } from '../../send/subtitles.ts'

export function subtitleRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, getSubtitles, async (call) => {
    await using subtitles = await services.subtitles.open(call.actor, `/${call.params['*']}`)
    return await sendSubtitles(call, subtitles)
  })
}
