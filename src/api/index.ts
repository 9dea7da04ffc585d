import * as audit from './audit.ts'
import * as auth from './auth.ts'
import * as backup from './backup.ts'
import * as events from './events.ts'
import * as branding from './branding.ts'
import * as files from './files.ts'
import * as hooks from './hooks.ts'
import * as jobs from './jobs.ts'
import type { Operation } from './operation.ts'
import * as rules from './rules.ts'
import * as previews from './previews.ts'
import * as search from './search.ts'
import * as server from './server.ts'
import * as serverOptions from './server-options.ts'
import * as publicShares from './public.ts'
import * as sessions from './sessions.ts'
import * as settings from './settings.ts'
import * as shares from './shares.ts'
import * as terminal from './terminal.ts'
import * as trash from './trash.ts'
import * as uploads from './uploads.ts'
import * as users from './users.ts'
/** Every call of the wire; the parity test, the rights matrix and OpenAPI read this list. */
export const OPERATIONS: readonly Operation[] = [
  auth,
  sessions,
  backup,
  events,
  files,
  previews,
  jobs,
  trash,
  shares,
  publicShares,
  uploads,
  users,
  search,
  settings,
  rules,
  hooks,
  terminal,
  branding,
  server,
  serverOptions,
  audit,
].flatMap((group) => Object.values<Operation>(group))
