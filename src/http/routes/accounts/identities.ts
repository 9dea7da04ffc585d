import type { FastifyInstance } from 'fastify'
import { linkOwnIdentity } from '../../../api/accounts/identities.ts'
import type { Context } from '../../../context.ts'
import { baseOf } from '../../../domain/server/server-options.ts'
import { mount } from '../../mount.ts'
import { forgetSecret, secretIn } from './provider-cookies.ts'

export function identityRoutes(app: FastifyInstance, { services, options }: Context): void {
  mount(app, linkOwnIdentity, async ({ params: { id }, body: { code }, actor, client, request, reply }) => {
    const proof = { code, secret: secretIn(request, code), client }
    const ways = await services.identities.finish(actor, id, proof)
    forgetSecret(request, reply, baseOf(options), code)
    return ways
  })
}
