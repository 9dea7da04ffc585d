import { Type } from 'typebox'
import { RestoreReport } from '../../domain/backup.ts'
import { operation } from '../operation.ts'

export const createBackup = operation({
  id: 'backup.create',
  method: 'GET',
  path: '/api/backup',
  access: 'admin',
  summary: 'The state as a tar, without signing key; the own password percent-encoded in X-Current-Password',
  replies: { 200: null, 400: null, 403: null, 429: null },
})

export const restoreBackup = operation({
  id: 'backup.restore',
  method: 'POST',
  path: '/api/backup',
  access: 'admin',
  summary: 'Take a backup in place of the present state; the own password percent-encoded in X-Current-Password',
  query: Type.Object({ dryRun: Type.Optional(Type.Enum(['true', 'false'])) }),
  bodyKind: 'bytes',
  replies: { 200: RestoreReport, 400: null, 403: null, 413: null, 429: null },
})
