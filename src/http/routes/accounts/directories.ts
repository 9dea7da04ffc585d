import type { FastifyInstance } from 'fastify'
import { linkAtDirectory, signInAtDirectory } from '../../../api/accounts/directories.ts'
import type { Context } from '../../../context.ts'
import { baseOf } from '../../../domain/server/server-options.ts'
import { mount } from '../../mount.ts'
import { setAuthCookie, SIGN_IN } from './auth.ts'

export function directoryRoutes(app: FastifyInstance, { services, options }: Context): void {
  mount(
    app,
    signInAtDirectory,
    async ({ params, body, client, request, reply }) => {
      const token = await services.auth.loginAt(params.id, body, client)
      setAuthCookie(request, reply, token, { baseURL: baseOf(options) })
      return await reply.type('text/plain').send(token)
    },
    SIGN_IN,
  )

  mount(
    app,
    linkAtDirectory,
    async ({ params, body: { current_password: currentPassword, ...credentials }, actor, client }) =>
      await services.identities.linkAtDirectory(actor, params.id, {
        credentials,
        client,
        ...(currentPassword !== undefined && { currentPassword }),
      }),
    { bodyLimit: 8192 },
  )
}
