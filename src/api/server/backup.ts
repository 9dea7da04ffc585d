import { Type } from 'typebox'
import { RestoreReport } from '../../domain/server/backup.ts'
import { operation } from '../operation.ts'

export const createBackup = operation({
  id: 'backup.create',
  method: 'GET',
  path: '/api/backup',
  access: 'admin',
  summary:
    'Back up the state as a tar without the signing key; X-Current-Password holds your password, percent-encoded',
  replies: { 200: null, 400: null, 403: null, 429: null },
})

export const restoreBackup = operation({
  id: 'backup.restore',
  method: 'POST',
  path: '/api/backup',
  access: 'admin',
  summary: 'Restore a backup; X-Current-Password holds your password, percent-encoded',
  query: Type.Object({ dryRun: Type.Optional(Type.Enum(['true', 'false'])) }),
  bodyKind: 'bytes',
  replies: { 200: RestoreReport, 400: null, 403: null, 413: null, 429: null },
})
