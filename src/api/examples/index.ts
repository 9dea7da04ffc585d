import { AUTH_EXAMPLES } from './auth.ts'
import { EVENT_EXAMPLES } from './events.ts'
import { FILE_EXAMPLES } from './files.ts'
import { HOOK_EXAMPLES } from './hooks.ts'
import { TERMINAL_EXAMPLES } from './terminal.ts'
import type { Examples } from './operation-example.ts'
import { SERVER_EXAMPLES } from './server.ts'
import { SETTINGS_EXAMPLES } from './settings.ts'
import { SHARE_EXAMPLES } from './shares.ts'
import { TRASH_EXAMPLES } from './trash.ts'
import { UPLOAD_EXAMPLES } from './uploads.ts'
import { USER_EXAMPLES } from './users.ts'

/** A call of every operation, apart from the declarations: the page has no use for them. */
export const EXAMPLES: Examples = {
  ...AUTH_EXAMPLES,
  ...FILE_EXAMPLES,
  ...UPLOAD_EXAMPLES,
  ...TRASH_EXAMPLES,
  ...SHARE_EXAMPLES,
  ...EVENT_EXAMPLES,
  ...USER_EXAMPLES,
  ...SETTINGS_EXAMPLES,
  ...SERVER_EXAMPLES,
  ...HOOK_EXAMPLES,
  ...TERMINAL_EXAMPLES,
}
