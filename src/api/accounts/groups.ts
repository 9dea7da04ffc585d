import { Type } from 'typebox'
import { GroupChange, GroupSummary, GroupView, MembersChange } from '../../domain/accounts/group.ts'
import { operation } from '../operation.ts'

const params = Type.Object({ id: Type.String({ maxLength: 64 }) })
/** What a group gives, its members have, so it is guarded as their accounts are. */
const current_password = Type.Optional(Type.String({ maxLength: 4096, description: 'Your own' }))
const body = Type.Object({ ...GroupChange.properties, current_password })

export const listGroups = operation({
  id: 'groups.list',
  method: 'GET',
  path: '/api/groups',
  access: 'admin',
  tokens: true,
  summary: 'All groups, by name, with the number of their members',
  replies: { 200: Type.Array(GroupSummary), 403: null },
})

export const getGroup = operation({
  id: 'groups.get',
  method: 'GET',
  path: '/api/groups/:id',
  access: 'admin',
  tokens: true,
  summary: 'One group with its members',
  params,
  replies: { 200: GroupView, 403: null, 404: null },
})

export const createGroup = operation({
  id: 'groups.create',
  method: 'POST',
  path: '/api/groups',
  access: 'admin',
  summary: 'Create a group without members',
  body,
  replies: { 200: GroupView, 400: null, 403: null, 409: null },
})

export const changeGroup = operation({
  id: 'groups.change',
  method: 'PATCH',
  path: '/api/groups/:id',
  access: 'admin',
  summary: 'Set the values that are given',
  params,
  body,
  replies: { 200: GroupView, 400: null, 403: null, 404: null, 409: null },
})

export const changeMembers = operation({
  id: 'groups.changeMembers',
  method: 'PATCH',
  path: '/api/groups/:id/members',
  access: 'admin',
  summary: 'Add users to a group, and take others out of it',
  params,
  body: Type.Object({ ...MembersChange.properties, current_password }),
  replies: { 200: GroupView, 400: null, 403: null, 404: null },
})

export const removeGroup = operation({
  id: 'groups.remove',
  method: 'DELETE',
  path: '/api/groups/:id',
  access: 'admin',
  summary: 'Remove a group; its members lose what only it gave them',
  params,
  body: Type.Object({ current_password }),
  replies: { 204: null, 400: null, 403: null, 404: null },
})
