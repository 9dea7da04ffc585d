import {
  createUserAsOperator,
  deleteUserAsOperator,
  getUserAsOperator,
  updateUserAsOperator,
} from '../../api/accounts/operator.ts'
import { getUser, listUsers } from '../../api/accounts/users.ts'
import type { UserId } from '../../domain/ids.ts'
import { handler } from '../handler.ts'

export const userHandlers = {
  list: handler(listUsers, async ({ actor }, { services: { users } }) => await users.list(actor)),

  get: handler(
    getUser,
    async ({ actor, params }, { services: { users } }) => await users.get(actor, Number(params.id) as UserId),
  ),

  getAsOperator: handler(
    getUserAsOperator,
    async ({ actor, params }, { services: { users } }) => await users.get(actor, users.find(params.id).id),
  ),

  createAsOperator: handler(
    createUserAsOperator,
    async ({ actor, body: { passwordHash, ...fields } }, { services: { users } }) =>
      await users.create(actor, fields, { passwordHash }),
  ),

  updateAsOperator: handler(
    updateUserAsOperator,
    async ({ actor, params, body: { passwordHash, ...fields } }, { services: { users } }) =>
      await users.update(actor, users.find(params.id).id, fields, { passwordHash }),
  ),

  deleteAsOperator: handler(deleteUserAsOperator, async ({ actor, params }, { services: { users } }) => {
    const user = users.find(params.id)
    await users.remove(actor, user.id)
    return user
  }),
}
