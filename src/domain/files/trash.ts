import { Type, type Static } from 'typebox'

/** Something in the trash. Times are RFC 3339. */
export const TrashItem = Type.Object({
  id: Type.String(),
  /** Where it was. */
  path: Type.String(),
  name: Type.String(),
  isDir: Type.Boolean(),
  size: Type.Integer(),
  deleted: Type.String(),
  /** When it goes for good; absent while the trash is switched off. */
  expires: Type.Optional(Type.String()),
})
export type TrashItem = Static<typeof TrashItem>
