import { Type, type Static } from 'typebox'
import { Job } from '../automation/job.ts'
import { FolderSize } from './resource.ts'

/** The known sizes of the folders in a folder. Some may be from before a change. */
export const FolderSizes = Type.Object({
  sizes: Type.Array(Type.Object({ name: Type.String(), ...FolderSize.properties })),
  /** The job that counts missing and changed sizes, while it is unfinished, or if it failed or was cancelled. */
  job: Type.Optional(Job),
})
export type FolderSizes = Static<typeof FolderSizes>
