import { Type, type Static } from 'typebox'
import type { VirtualPath } from './virtual-path.ts'

export const TrashId = Type.String({ minLength: 16, maxLength: 16 })

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

/** A file or folder in the trash. */
export interface TrashedEntry {
  readonly id: string
  /** Its original path in the scope. */
  readonly path: VirtualPath
  readonly isDir: boolean
  /** Bytes of a file; 0 for a folder. */
  readonly size: number
  /** When it was deleted, in milliseconds since 1970. */
  readonly deleted: number
}
