import type { AccessService } from './access.ts'
import type { Auth } from './auth.ts'
import type { Downloads } from './downloads.ts'
import type { Files } from './files.ts'
import type { Sessions } from './sessions.ts'
import type { SettingsService } from './settings.ts'
import type { UsageService } from './usage.ts'
import type { Users } from './users.ts'

/** Every decision of the product, behind one object for both faces. */
export interface Services {
  readonly auth: Auth
  readonly sessions: Sessions
  readonly users: Users
  readonly settings: SettingsService
  readonly access: AccessService
  readonly files: Files
  readonly downloads: Downloads
  readonly usage: UsageService
}
