import { AUTH_EXAMPLES, QUOTA_EXAMPLES, TOKEN_EXAMPLES, USER_EXAMPLES } from './accounts.ts'
import { FILE_EXAMPLES, TRASH_EXAMPLES } from './files.ts'
import type { Examples } from './operation-example.ts'
import {
  EVENT_EXAMPLES,
  HOOK_EXAMPLES,
  SERVER_EXAMPLES,
  SETTINGS_EXAMPLES,
  TERMINAL_EXAMPLES,
  WEBHOOK_EXAMPLES,
} from './server.ts'
import { SHARE_EXAMPLES } from './shares.ts'
import { UPLOAD_EXAMPLES } from './uploads.ts'

/** An example of every operation. Not part of the declarations, because the page does not need them. */
export const EXAMPLES: Examples = {
  ...AUTH_EXAMPLES,
  ...TOKEN_EXAMPLES,
  ...FILE_EXAMPLES,
  ...UPLOAD_EXAMPLES,
  ...TRASH_EXAMPLES,
  ...SHARE_EXAMPLES,
  ...EVENT_EXAMPLES,
  ...USER_EXAMPLES,
  ...QUOTA_EXAMPLES,
  ...SETTINGS_EXAMPLES,
  ...SERVER_EXAMPLES,
  ...HOOK_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
  ...TERMINAL_EXAMPLES,
}
