import type { FastifyInstance } from 'fastify'
import { createUser, deleteUser, updateUser } from '../../../api/accounts/users.ts'
import type { Context } from '../../../context.ts'
import type { UserId } from '../../../domain/ids.ts'
import { mount } from '../../mount.ts'

export function userRoutes(app: FastifyInstance, { services: { users } }: Context): void {
  mount(app, createUser, async ({ actor, body, reply }) => {
    const user = await users.createFromWire(actor, body)
    // An address for the router of old pages, therefore without the base URL.
    void reply.header('location', `/settings/users/${user.id}`)
    return undefined
  })

  mount(app, updateUser, async ({ actor, params, body }) => {
    await users.updateFromWire(actor, idOf(params), body)
  })

  mount(app, deleteUser, async ({ actor, params, body }) => {
    await users.removeFromWire(actor, idOf(params), body)
  })
}

function idOf({ id }: { id: string }): UserId {
  return Number(id) as UserId
}
