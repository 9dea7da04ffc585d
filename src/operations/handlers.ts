import { addressOf, type SomeHandler } from './handler.ts'
import { authHandlers } from './accounts/auth.ts'
import { quotaHandlers } from './access/quotas.ts'
import { ruleHandlers } from './access/rules.ts'
import { sessionHandlers } from './accounts/sessions.ts'
import { tokenHandlers } from './accounts/tokens.ts'
import { userHandlers } from './accounts/users.ts'
import { userTransferHandlers } from './accounts/user-transfer.ts'
import { hookHandlers } from './automation/hooks.ts'
import { jobHandlers } from './automation/jobs.ts'
import { webhookHandlers } from './automation/webhooks.ts'
import { trashHandlers } from './files/trash.ts'
import { auditHandlers } from './server/audit.ts'
import { backupHandlers } from './server/backup.ts'
import { cacheHandlers } from './server/cache.ts'
import { importHandlers } from './server/import.ts'
import { maintenanceHandlers } from './server/maintenance.ts'
import { serverOptionHandlers } from './server/server-options.ts'
import { nodeHandlers } from './server/nodes.ts'
import { brandingHandlers } from './settings/branding.ts'
import { settingsHandlers } from './settings/settings.ts'
import { shareHandlers } from './shares/shares.ts'
import { uploadHandlers } from './uploads/uploads.ts'

/** Every operation that a command performs, by its address. */
export const HANDLERS: ReadonlyMap<string, SomeHandler> = new Map(
  [
    auditHandlers,
    authHandlers,
    backupHandlers,
    brandingHandlers,
    importHandlers,
    nodeHandlers,
    userHandlers,
    userTransferHandlers,
    quotaHandlers,
    ruleHandlers,
    sessionHandlers,
    tokenHandlers,
    hookHandlers,
    jobHandlers,
    webhookHandlers,
    trashHandlers,
    cacheHandlers,
    maintenanceHandlers,
    serverOptionHandlers,
    settingsHandlers,
    shareHandlers,
    uploadHandlers,
  ]
    .flatMap((noun) => Object.values<SomeHandler>(noun))
    .map((each) => [addressOf(each.operation), each]),
)
