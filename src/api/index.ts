import * as auth from './accounts/auth.ts'
import * as quotas from './accounts/quotas.ts'
import * as rules from './accounts/rules.ts'
import * as sessions from './accounts/sessions.ts'
import * as tokens from './accounts/tokens.ts'
import * as users from './accounts/users.ts'
import * as archives from './files/archives.ts'
import * as encodings from './files/encodings.ts'
import * as events from './files/events.ts'
import * as files from './files/files.ts'
import * as jobs from './files/jobs.ts'
import * as previews from './files/previews.ts'
import * as publicShares from './files/public.ts'
import * as renames from './files/renames.ts'
import * as search from './files/search.ts'
import * as shares from './files/shares.ts'
import * as trash from './files/trash.ts'
import * as uploads from './files/uploads.ts'
import type { Operation } from './operation.ts'
import * as audit from './server/audit.ts'
import * as backup from './server/backup.ts'
import * as branding from './server/branding.ts'
import * as hooks from './server/hooks.ts'
import * as serverOptions from './server/server-options.ts'
import * as maintenance from './server/maintenance.ts'
import * as server from './server/server.ts'
import * as settings from './server/settings.ts'
import * as terminal from './server/terminal.ts'
import * as webhooks from './server/webhooks.ts'

/** All API calls. The parity test, the rights matrix and OpenAPI read this list. */
export const OPERATIONS: readonly Operation[] = [
  auth,
  sessions,
  tokens,
  backup,
  events,
  files,
  encodings,
  renames,
  archives,
  previews,
  jobs,
  trash,
  shares,
  publicShares,
  uploads,
  users,
  quotas,
  search,
  settings,
  rules,
  hooks,
  webhooks,
  terminal,
  branding,
  maintenance,
  server,
  serverOptions,
  audit,
].flatMap((group) => Object.values<Operation>(group))
