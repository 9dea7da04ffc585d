import * as auth from './accounts/auth.ts'
import * as directories from './accounts/directories.ts'
import * as factors from './accounts/factors.ts'
import * as sessions from './accounts/sessions.ts'
import * as identities from './accounts/identities.ts'
import * as providers from './accounts/providers.ts'
import * as tokens from './accounts/tokens.ts'
import * as groups from './accounts/groups.ts'
import * as users from './accounts/users.ts'
import * as quotas from './access/quotas.ts'
import * as rules from './access/rules.ts'
import * as archives from './files/archives.ts'
import * as changes from './files/files-changes.ts'
import * as downloads from './files/downloads.ts'
import * as encodings from './files/encodings.ts'
import * as files from './files/files.ts'
import * as pictures from './files/pictures.ts'
import * as places from './files/places.ts'
import * as previews from './files/previews.ts'
import * as search from './files/search.ts'
import * as subtitles from './files/subtitles.ts'
import * as trash from './files/trash.ts'
import * as usage from './files/usage.ts'
import * as uploads from './uploads/uploads.ts'
import * as grants from './shares/grants.ts'
import * as publicShares from './shares/public.ts'
import * as shares from './shares/shares.ts'
import * as events from './automation/events.ts'
import * as hooks from './automation/hooks.ts'
import * as jobs from './automation/jobs.ts'
import * as notices from './automation/notices.ts'
import * as terminal from './automation/terminal.ts'
import * as webhooks from './automation/webhooks.ts'
import * as branding from './settings/branding.ts'
import * as settings from './settings/settings.ts'
import * as audit from './server/audit.ts'
import * as backup from './server/backup.ts'
import * as cache from './server/cache.ts'
import * as maintenance from './server/maintenance.ts'
import * as roots from './server/roots.ts'
import * as serverOptions from './server/server-options.ts'
import * as server from './server/server.ts'
import type { Operation } from './operation.ts'

/** All API calls, by topic and noun. The parity test, the rights matrix and OpenAPI read this list. */
export const OPERATIONS: readonly Operation[] = [
  auth,
  directories,
  factors,
  sessions,
  tokens,
  providers,
  identities,
  users,
  groups,
  quotas,
  rules,
  archives,
  downloads,
  encodings,
  files,
  changes,
  places,
  previews,
  pictures,
  search,
  subtitles,
  trash,
  usage,
  uploads,
  publicShares,
  shares,
  grants,
  events,
  hooks,
  jobs,
  notices,
  terminal,
  webhooks,
  branding,
  settings,
  audit,
  backup,
  cache,
  maintenance,
  roots,
  serverOptions,
  server,
].flatMap((group) => Object.values<Operation>(group))
