import type { FastifyInstance } from 'fastify'
import { health, openapi } from '../../api/server.ts'
import { mount } from '../mount.ts'

/** @param describe gives the OpenAPI document */
export function serverRoutes(app: FastifyInstance, describe: () => Promise<object>): void {
  mount(app, health, async ({ reply }) => {
    // Old monitors compare the type too.
    void reply.removeHeader('cache-control').type('text/plain; charset=utf-8')
    return await reply.send('{"status":"OK"}')
  })

  mount(app, openapi, async () => await describe())
}
