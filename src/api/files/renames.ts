import { RenameOutcome, RenamePlan, RenameRequest } from '../../domain/files/renames.ts'
import { Job } from '../../domain/job.ts'
import { operation, PathParams } from '../operation.ts'

export const planRenames = operation({
  id: 'files.planRenames',
  method: 'POST',
  path: '/api/rename-plan/*',
  access: 'user',
  tokens: true,
  summary: 'The new names that entries of a folder would get, and what is in the way; renames nothing',
  params: PathParams,
  body: RenameRequest,
  replies: { 200: RenamePlan, 400: null, 403: null, 404: null },
})

export const renameMany = operation({
  id: 'files.renameMany',
  method: 'POST',
  path: '/api/rename/*',
  access: 'user',
  tokens: true,
  summary: 'Rename several entries of a folder; with "Prefer: respond-async", the reply to many is a job',
  params: PathParams,
  body: RenameRequest,
  replies: { 200: RenameOutcome, 202: Job, 400: null, 403: null, 404: null, 409: null },
})
