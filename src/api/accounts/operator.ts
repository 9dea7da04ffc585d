import { Type } from 'typebox'
import { ApiTokenView, NewApiToken } from '../../domain/accounts/api-token.ts'
import { SessionView } from '../../domain/accounts/session.ts'
import { UserPatch, UserView } from '../../domain/accounts/user.ts'
import { Permissions } from '../../domain/access/permission-fields.ts'
import { Sorting } from '../../domain/files/sorting.ts'
import { GroupChange, GroupView } from '../../domain/accounts/group.ts'
import { GroupName, OfUser, operatorOperation, UserName } from '../operation.ts'
import { changeGroup, changeMembers, getGroup, removeGroup } from './groups.ts'
import { listSessions, revokeSessions } from './sessions.ts'
import { createToken, listTokens, revokeToken } from './tokens.ts'
import { createUser, deleteUser, getUser, resetFactors, updateUser } from './users.ts'

const UserParams = Type.Object({ id: UserName })

/** The fields that are given; the others keep their values, or have the defaults for new users. */
const UserFields = Type.Object({
  ...UserPatch.properties,
  root: Type.Optional(Type.String({ description: 'Name of a root, or "id:f3JkQ0aZ"' })),
  perm: Type.Optional(Type.Partial(Permissions)),
  sorting: Type.Optional(Type.Partial(Sorting)),
  passwordHash: Type.Optional(Type.String({ description: 'Instead of a password, as printed by "filemgr hash"' })),
})

export const getUserAsOperator = operatorOperation({
  id: getUser.id,
  access: 'operator',
  reads: true,
  summary: 'One user, by name',
  params: UserParams,
  replies: { 200: UserView, 404: null },
})

export const createUserAsOperator = operatorOperation({
  id: createUser.id,
  access: 'operator',
  summary: 'Create a user; missing fields have the defaults for new users',
  body: UserFields,
  replies: { 200: UserView, 400: null, 409: null },
})

export const updateUserAsOperator = operatorOperation({
  id: updateUser.id,
  access: 'operator',
  summary: 'Change the fields that are given',
  params: UserParams,
  body: UserFields,
  replies: { 200: UserView, 400: null, 403: null, 404: null, 409: null },
})

export const deleteUserAsOperator = operatorOperation({
  id: deleteUser.id,
  access: 'operator',
  summary: 'Delete a user with their links and sessions; the reply is how the account was',
  params: UserParams,
  replies: { 200: UserView, 403: null, 404: null },
})

const GroupParams = Type.Object({ id: GroupName })

export const getGroupAsOperator = operatorOperation({
  id: getGroup.id,
  access: 'operator',
  reads: true,
  summary: 'One group with its members, by name',
  params: GroupParams,
  replies: { 200: GroupView, 404: null },
})

export const changeGroupAsOperator = operatorOperation({
  id: changeGroup.id,
  access: 'operator',
  summary: 'Set the values that are given',
  params: GroupParams,
  body: GroupChange,
  replies: { 200: GroupView, 400: null, 404: null, 409: null },
})

export const changeMembersAsOperator = operatorOperation({
  id: changeMembers.id,
  access: 'operator',
  summary: 'Add users to a group, and take others out of it, by name',
  params: GroupParams,
  body: Type.Object({ add: Type.Optional(Type.Array(UserName)), remove: Type.Optional(Type.Array(UserName)) }),
  replies: { 200: GroupView, 404: null },
})

export const removeGroupAsOperator = operatorOperation({
  id: removeGroup.id,
  access: 'operator',
  summary: 'Remove a group; the reply is how it was',
  params: GroupParams,
  replies: { 200: GroupView, 404: null },
})

export const resetFactorsAsOperator = operatorOperation({
  id: resetFactors.id,
  access: 'operator',
  summary: 'Remove all second factors of a user, whose devices must sign in again; the reply is the account then',
  params: UserParams,
  replies: { 200: UserView, 404: null },
})

export const exportUsers = operatorOperation({
  id: 'users.export',
  access: 'operator',
  summary: 'All accounts with the hashes of their passwords',
  query: Type.Object({ form: Type.Enum(['filemgr', 'filebrowser']) }),
  replies: {
    200: Type.Object({
      users: Type.Array(Type.Object({})),
      withoutPassword: Type.Array(Type.String(), { description: 'Whose hash the other program does not know' }),
      losing: Type.Array(Type.String(), { description: 'Who have permissions in folders, places or another root' }),
    }),
  },
})

const Imported = Type.Object({ id: UserView.properties.id, username: Type.String(), scope: Type.String() })

export const importUsers = operatorOperation({
  id: 'users.import',
  access: 'operator',
  summary: 'Add all accounts of a list, or none',
  query: Type.Object({ dryRun: Type.Optional(Type.Boolean()) }),
  body: Type.Object({
    list: Type.Unknown(),
    overwrite: Type.Boolean({ description: 'Also change accounts with the same names' }),
    replace: Type.Boolean({ description: 'Also remove accounts that are not in the list, after saving the old ones' }),
    clearPasswords: Type.Boolean({ description: 'Passwords are in clear text, unless they are complete hashes' }),
    passwords: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'By user name, for new accounts without one' }),
    ),
  }),
  replies: {
    200: Type.Object({
      added: Type.Array(Imported),
      changed: Type.Array(Imported),
      removed: Type.Array(Imported),
      withoutPassword: Type.Array(Type.String()),
      saved: Type.Optional(Type.String({ description: 'The file with the accounts that were replaced' })),
    }),
    400: null,
    403: null,
    409: null,
  },
})

export const listSessionsAsOperator = operatorOperation({
  id: listSessions.id,
  access: 'operator',
  reads: true,
  summary: 'The devices of all users, or of one',
  query: OfUser,
  replies: { 200: Type.Array(SessionView), 404: null },
})

export const revokeSessionsAsOperator = operatorOperation({
  id: revokeSessions.id,
  access: 'operator',
  summary: 'Sign out all devices of all users, or of one',
  query: OfUser,
  replies: { 200: Type.Object({ revoked: Type.Integer() }), 404: null },
})

export const listTokensAsOperator = operatorOperation({
  id: listTokens.id,
  access: 'operator',
  reads: true,
  summary: 'The API tokens of all users, or of one',
  query: OfUser,
  replies: { 200: Type.Array(ApiTokenView), 404: null },
})

export const createTokenAsOperator = operatorOperation({
  id: createToken.id,
  access: 'operator',
  summary: 'Make an API token for a user, by default the first administrator',
  body: Type.Object({ ...NewApiToken.properties, user: Type.Optional(UserName) }),
  replies: {
    200: Type.Object({ ...ApiTokenView.properties, token: Type.String() }),
    400: null,
    404: null,
    409: null,
  },
})

export const revokeTokenAsOperator = operatorOperation({
  id: revokeToken.id,
  access: 'operator',
  summary: 'Revoke an API token of any user; the reply is what it was',
  params: revokeToken.params,
  replies: { 200: ApiTokenView, 404: null },
})

export const beginCheck = operatorOperation({
  id: 'auth.check',
  access: 'operator',
  // What is done with the token is in the activity log.
  reads: true,
  summary: 'Sign the first administrator in, for requests that check the way to the daemon',
  replies: { 200: Type.Object({ token: Type.Optional(Type.String()) }) },
})
