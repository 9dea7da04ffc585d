import { Type, type Static } from 'typebox'

/** Times are RFC 3339. */
export const TrashItem = Type.Object({
  id: Type.String(),
  /** Original path. */
  path: Type.String(),
  name: Type.String(),
  isDir: Type.Boolean(),
  size: Type.Integer(),
  deleted: Type.String(),
  /** When it will be deleted permanently; absent while the trash is off. */
  expires: Type.Optional(Type.String()),
})
export type TrashItem = Static<typeof TrashItem>
