import { createTokenAsOperator, listTokensAsOperator, revokeTokenAsOperator } from '../../api/accounts/operator.ts'
import { createToken, listTokens, revokeToken } from '../../api/accounts/tokens.ts'
import { isAdministrator } from '../../domain/accounts/user.ts'
import { fail } from '../../domain/errors.ts'
import { handler } from '../handler.ts'

export const tokenHandlers = {
  list: handler(listTokens, ({ actor, query }, { services: { apiTokens } }) =>
    apiTokens.list(actor, { all: query.all === true }),
  ),

  create: handler(
    createToken,
    async ({ actor, body: { current_password: currentPassword, ...order } }, { services: { apiTokens } }) =>
      await apiTokens.create(actor, order, { currentPassword }),
  ),

  revoke: handler(revokeToken, async ({ actor, params }, { services: { apiTokens } }) => {
    await apiTokens.revoke(actor, params.id)
  }),

  listAsOperator: handler(listTokensAsOperator, ({ actor, query: { user } }, { services: { apiTokens, users } }) =>
    apiTokens.list(actor, user === undefined ? { all: true } : { userId: users.find(user).id }),
  ),

  createAsOperator: handler(createTokenAsOperator, async ({ actor, body: { user, ...order } }, { services, store }) => {
    const owner = user === undefined ? store.snapshot().users.find(isAdministrator) : services.users.find(user)
    if (owner === undefined) fail('NOT_FOUND', 'there is no administrator; name the user with --user')
    return await services.apiTokens.create(actor, order, { owner: owner.id })
  }),

  revokeAsOperator: handler(revokeTokenAsOperator, async ({ actor, params: { id } }, { services: { apiTokens } }) => {
    const token = apiTokens.list(actor, { all: true }).find((each) => each.id === id)
    if (token === undefined) return fail('NOT_FOUND', 'there is no such token; list them with "filemgr tokens ls"')
    await apiTokens.revoke(actor, id)
    return token
  }),
}
