import { join } from 'node:path'
import { getPasswordRules } from '../api/accounts/auth.ts'
import {
  beginCheck,
  changeGroupAsOperator,
  changeMembersAsOperator,
  createTokenAsOperator,
  createUserAsOperator,
  deleteUserAsOperator,
  exportUsers,
  getGroupAsOperator,
  getUserAsOperator,
  importUsers,
  listSessionsAsOperator,
  listTokensAsOperator,
  removeGroupAsOperator,
  resetFactorsAsOperator,
  revokeSessionsAsOperator,
  revokeTokenAsOperator,
  updateUserAsOperator,
} from '../api/accounts/operator.ts'
import { changeGroup, changeMembers, createGroup, getGroup, listGroups, removeGroup } from '../api/accounts/groups.ts'
import { linkIdentity, listIdentities, unlinkIdentity } from '../api/accounts/identities.ts'
import { addProvider, changeProvider, listProviders, removeProvider, testProvider } from '../api/accounts/providers.ts'
import { listSessions, revokeSession, revokeSessions } from '../api/accounts/sessions.ts'
import { createToken, listTokens, revokeToken } from '../api/accounts/tokens.ts'
import { getUser, listUsers, resetFactors } from '../api/accounts/users.ts'
import { isAdministrator, type User } from '../domain/accounts/user.ts'
import { fail } from '../domain/errors.ts'
import { homeRootNamed, type Root } from '../domain/server/root.ts'
import type { RootId, UserId } from '../domain/ids.ts'
import { writeNewPrivateFile } from '../platform/files/private-file.ts'
import type { ImportPlan } from '../services/accounts/users/user-transfer.ts'
import { handler } from './handler.ts'

export const accountHandlers = [
  handler(getPasswordRules, (_, { services }) => ({
    minimumLength: services.settings.current().minimumPasswordLength,
  })),

  handler(beginCheck, async (_, { services: { auth }, store }) => {
    const admin = store.snapshot().users.find(isAdministrator)
    if (admin === undefined) return {}
    const client = { address: '', userAgent: 'filemgr doctor' }
    return { token: await auth.redeemCode(await auth.issueCode(admin.id), client) }
  }),

  handler(
    listSessions,
    async ({ actor, query }, { services: { sessions } }) => await sessions.list(actor, { all: query.all === true }),
  ),

  handler(revokeSession, async ({ actor, params }, { services: { sessions } }) => {
    await sessions.revoke(actor, params.id)
  }),

  handler(revokeSessions, async ({ actor, query: { userId, all } }, { services: { sessions } }) => {
    if (all === true) return { revoked: await sessions.revokeAllUsers(actor) }
    if (userId !== undefined) return { revoked: await sessions.revokeAllOf(actor, userId as UserId) }
    return { revoked: await sessions.revokeOthers(actor) }
  }),

  handler(
    listSessionsAsOperator,
    async ({ actor, query: { user } }, { services: { sessions, users } }) =>
      await sessions.list(actor, user === undefined ? { all: true } : { userId: users.find(user).id }),
  ),

  handler(revokeSessionsAsOperator, async ({ actor, query: { user } }, { services: { sessions, users } }) => ({
    revoked:
      user === undefined
        ? await sessions.revokeAllUsers(actor)
        : await sessions.revokeAllOf(actor, users.find(user).id),
  })),

  handler(listProviders, ({ actor }, { services: { providers } }) => providers.list(actor)),

  handler(addProvider, async ({ actor, body }, { services: { providers } }) => await providers.add(actor, body)),

  handler(
    changeProvider,
    async ({ actor, params, body }, { services: { providers } }) => await providers.change(actor, params.id, body),
  ),

  handler(removeProvider, async ({ actor, params, body }, { services: { providers } }) => {
    await providers.remove(actor, params.id, body.current_password)
  }),

  handler(
    testProvider,
    async ({ actor, params, body, signal }, { services: { providers } }) =>
      await providers.test(actor, params.id, body, signal),
  ),

  handler(listIdentities, ({ actor, params }, { services: { identities } }) =>
    identities.list(actor, Number(params.id) as UserId),
  ),

  handler(
    linkIdentity,
    async ({ actor, params, body }, { services: { identities } }) =>
      await identities.link(actor, Number(params.id) as UserId, body),
  ),

  handler(
    unlinkIdentity,
    async ({ actor, params, body: { current_password: password, ...identity } }, { services: { identities } }) =>
      await identities.unlink(actor, Number(params.id) as UserId, identity, password),
  ),

  handler(listTokens, ({ actor, query }, { services: { apiTokens } }) =>
    apiTokens.list(actor, { all: query.all === true }),
  ),

  handler(
    createToken,
    async ({ actor, body: { current_password: currentPassword, ...order } }, { services: { apiTokens } }) =>
      await apiTokens.create(actor, order, { currentPassword }),
  ),

  handler(revokeToken, async ({ actor, params }, { services: { apiTokens } }) => {
    await apiTokens.revoke(actor, params.id)
  }),

  handler(listTokensAsOperator, ({ actor, query: { user } }, { services: { apiTokens, users } }) =>
    apiTokens.list(actor, user === undefined ? { all: true } : { userId: users.find(user).id }),
  ),

  handler(createTokenAsOperator, async ({ actor, body: { user, ...order } }, { services, store }) => {
    const owner = user === undefined ? store.snapshot().users.find(isAdministrator) : services.users.find(user)
    if (owner === undefined) fail('NOT_FOUND', 'there is no administrator; name the user with --user')
    return await services.apiTokens.create(actor, order, { owner: owner.id })
  }),

  handler(revokeTokenAsOperator, async ({ actor, params: { id } }, { services: { apiTokens } }) => {
    const token = apiTokens.list(actor, { all: true }).find((each) => each.id === id)
    if (token === undefined) return fail('NOT_FOUND', 'there is no such token; list them with "filemgr tokens ls"')
    await apiTokens.revoke(actor, id)
    return token
  }),

  handler(listUsers, async ({ actor }, { services: { users } }) => await users.list(actor)),

  handler(
    getUser,
    async ({ actor, params }, { services: { users } }) => await users.get(actor, Number(params.id) as UserId),
  ),

  handler(
    getUserAsOperator,
    async ({ actor, params }, { services: { users } }) => await users.get(actor, users.find(params.id).id),
  ),

  handler(
    createUserAsOperator,
    async ({ actor, body: { passwordHash, ...fields } }, { services: { users }, store }) =>
      await users.create(actor, withRoot(fields, store.snapshot()), { passwordHash }),
  ),

  handler(
    updateUserAsOperator,
    async ({ actor, params, body: { passwordHash, ...fields } }, { services: { users }, store }) =>
      await users.update(actor, users.find(params.id).id, withRoot(fields, store.snapshot()), { passwordHash }),
  ),

  handler(deleteUserAsOperator, async ({ actor, params }, { services: { users } }) => {
    const user = users.find(params.id)
    await users.remove(actor, user.id)
    return user
  }),

  handler(listGroups, ({ actor }, { services: { groups } }) => groups.list(actor)),

  handler(getGroup, ({ actor, params }, { services: { groups } }) => groups.get(actor, params.id)),

  handler(getGroupAsOperator, ({ actor, params }, { services: { groups } }) =>
    groups.get(actor, groups.find(params.id).id),
  ),

  handler(
    createGroup,
    async ({ actor, body: { current_password: password, ...group } }, { services: { groups } }) =>
      await groups.create(actor, group, password),
  ),

  handler(
    changeGroup,
    async ({ actor, params, body: { current_password: password, ...change } }, { services: { groups } }) =>
      await groups.change(actor, params.id, change, password),
  ),

  handler(
    changeGroupAsOperator,
    async ({ actor, params, body }, { services: { groups } }) =>
      await groups.change(actor, groups.find(params.id).id, body),
  ),

  handler(
    changeMembers,
    async ({ actor, params, body: { current_password: password, ...change } }, { services: { groups } }) =>
      await groups.changeMembers(actor, params.id, change, password),
  ),

  handler(changeMembersAsOperator, async ({ actor, params, body }, { services: { groups, users } }) => {
    const idsOf = (names: readonly string[] = []) => names.map((name) => users.find(name).id)
    const change = { add: idsOf(body.add), remove: idsOf(body.remove) }
    return await groups.changeMembers(actor, groups.find(params.id).id, change)
  }),

  handler(removeGroup, async ({ actor, params, body }, { services: { groups } }) => {
    await groups.remove(actor, params.id, body.current_password)
  }),

  handler(removeGroupAsOperator, async ({ actor, params }, { services: { groups } }) => {
    const group = groups.get(actor, groups.find(params.id).id)
    await groups.remove(actor, group.id)
    return group
  }),

  handler(resetFactors, async ({ actor, params, body }, { services: { factors } }) => {
    await factors.reset(actor, Number(params.id) as UserId, body.current_password)
  }),

  handler(resetFactorsAsOperator, async ({ actor, params }, { services: { factors, users } }) => {
    const { id } = users.find(params.id)
    await factors.reset(actor, id)
    return await users.get(actor, id)
  }),

  handler(exportUsers, async ({ actor, query: { form } }, { services: { userTransfer }, store }) => {
    const users = userTransfer.export(actor)
    if (form === 'filemgr') return { users: [...users], withoutPassword: [], losing: [] }
    const { exportUsers: inOldForm } = await import('../import/filebrowser/export.ts')
    const { users: list, withoutPassword, losing } = inOldForm(store.snapshot().users)
    return { users: [...list], withoutPassword: [...withoutPassword], losing: [...losing] }
  }),

  handler(importUsers, async ({ actor, query, body: { list, passwords = {}, ...mode } }, context) => {
    const { dataFolder, clock, services } = context
    const { userTransfer } = services
    const options = { ...mode, passwords: new Map(Object.entries(passwords)) }
    const plan = await userTransfer.plan(actor, list, options)
    if (query.dryRun === true) return outcomeOf(plan)
    const saved =
      mode.replace && dataFolder !== undefined
        ? await saveOld(dataFolder, clock.now(), userTransfer.export(actor))
        : undefined
    const done = await userTransfer.import(actor, list, options)
    return { ...outcomeOf(done), ...(saved !== undefined && { saved }) }
  }),
]

async function saveOld(folder: string, now: number, users: readonly object[]): Promise<string> {
  const time = new Date(now).toISOString().replaceAll(/[:.]/g, '-')
  const path = join(folder, `users-before-import-${time}.json`)
  await writeNewPrivateFile(path, `${JSON.stringify(users, undefined, 2)}\n`)
  return path
}

function outcomeOf({ added, changed, removed, withoutPassword }: ImportPlan) {
  const named = (users: readonly User[]) => users.map(({ id, username, scope }) => ({ id, username, scope }))
  return {
    added: named(added),
    changed: named(changed),
    removed: named(removed),
    withoutPassword: [...withoutPassword],
  }
}

/** The fields with the id of the root that they name. @throws NOT_FOUND */
function withRoot<F extends { readonly root?: string | undefined }>(
  { root, ...fields }: F,
  { roots }: { readonly roots: readonly Root[] },
): Omit<F, 'root'> & { readonly root?: RootId } {
  return { ...fields, ...(root !== undefined && { root: homeRootNamed(roots, root) }) }
}
