import { Type, type Static } from 'typebox'
import { Job } from '../job.ts'
import { FolderSize } from './resource.ts'

/** The sizes of the folders in a folder, as far as they are known, also from before a change. */
export const FolderSizes = Type.Object({
  sizes: Type.Array(Type.Object({ name: Type.String(), ...FolderSize.properties })),
  /** Counts the missing and changed ones, or has ended before it was done. */
  job: Type.Optional(Job),
})
export type FolderSizes = Static<typeof FolderSizes>
