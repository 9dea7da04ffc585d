import { Type } from 'typebox'
import { Places } from '../../domain/accounts/place.ts'
import { PATH_PERMISSIONS } from '../../domain/access/rule.ts'
import { GroupName, operatorOperation, UserName } from '../operation.ts'

/** How the operator names a place: its root, its folder unless there is only one, and whose it is. */
export const PlaceName = Type.Object({
  root: Type.String({ description: 'Name of a root, or "id:f3JkQ0aZ"' }),
  folder: Type.Optional(Type.String({ maxLength: 4096, description: 'In the root' })),
  user: Type.Optional(UserName),
  group: Type.Optional(GroupName),
})

const replies = { 200: Places, 400: null, 404: null, 409: null }

export const givePlace = operatorOperation({
  id: 'roots.give',
  access: 'operator',
  summary: 'Give a folder of a root to a user or a group, or change what was given; the reply is the new list',
  body: Type.Object({
    ...PlaceName.properties,
    name: Type.Optional(Type.String({ maxLength: 64 })),
    permissions: Type.Optional(
      Type.Union([Type.Literal('account'), Type.Array(Type.Enum(PATH_PERMISSIONS), { uniqueItems: true })], {
        description: '"account" for those of the account',
      }),
    ),
  }),
  replies,
})

export const takePlace = operatorOperation({
  id: 'roots.take',
  access: 'operator',
  summary: 'Take a folder of a root from a user or a group; the reply is the new list',
  body: PlaceName,
  replies,
})
