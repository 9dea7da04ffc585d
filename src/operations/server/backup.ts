import { createBackupAsOperator, restoreBackupAsOperator } from '../../api/server/operator.ts'
import { handler } from '../handler.ts'

export const backupHandlers = {
  createAsOperator: handler(
    createBackupAsOperator,
    async ({ actor }, { services: { backups } }) => await backups.create(actor),
  ),

  restoreAsOperator: handler(
    restoreBackupAsOperator,
    async ({ actor, query: { dryRun }, body }, { services: { backups } }) =>
      await backups.restore(actor, body, { dryRun }),
    ({ query: { file } }) => file,
  ),
}
