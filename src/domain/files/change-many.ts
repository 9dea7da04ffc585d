import { type Static, Type } from 'typebox'
import { Failure } from '../failure.ts'
import { Job } from '../automation/job.ts'
import { TrashId } from './trash.ts'

/** Entries that one request can change. */
export const MAX_CHANGES = 1000

/** Several entries, and what is done to each of them. */
export const ChangeRequest = Type.Object({
  action: Type.Enum(['copy', 'move', 'trash', 'delete']),
  items: Type.Array(
    Type.Object({
      path: Type.String({ description: 'Below the folder' }),
      destination: Type.Optional(Type.String({ description: 'The whole new path, to copy or move' })),
      override: Type.Optional(Type.Boolean({ default: false, description: 'Replaces what has the new path' })),
    }),
    { minItems: 1, maxItems: MAX_CHANGES },
  ),
})
export type ChangeRequest = Static<typeof ChangeRequest>

const ENDED = {
  job: Type.Optional(Job),
  error: Type.Optional(Failure),
}

/** What became of an entry: done, unless a job goes on with it, or an error says why not. */
export const ChangeOutcome = Type.Object({
  path: Type.String({ description: 'As sent' }),
  ...ENDED,
})
export type ChangeOutcome = Static<typeof ChangeOutcome>

/** Several items of the trash, and what is done to each of them. */
export const TrashRequest = Type.Object({
  action: Type.Enum(['restore', 'delete']),
  ids: Type.Array(TrashId, { minItems: 1, maxItems: MAX_CHANGES }),
})
export type TrashRequest = Static<typeof TrashRequest>

/** What became of an item of the trash, as `ChangeOutcome`. */
export const TrashOutcome = Type.Object({
  id: Type.String({ description: 'As sent' }),
  path: Type.Optional(Type.String({ description: 'Where a restored item is, or will be' })),
  ...ENDED,
})
export type TrashOutcome = Static<typeof TrashOutcome>
