import { addressOf, type Handler } from './handler.ts'
import { accessHandlers } from './access.ts'
import { accountHandlers } from './accounts.ts'
import { automationHandlers } from './automation.ts'
import { fileHandlers } from './files.ts'
import { serverHandlers } from './server.ts'
import { settingsHandlers } from './settings.ts'
import { shareHandlers } from './shares.ts'
import { uploadHandlers } from './uploads.ts'

/** Every operation that a command performs, by its address. */
export const HANDLERS: ReadonlyMap<string, Handler> = new Map(
  [
    ...accessHandlers,
    ...accountHandlers,
    ...automationHandlers,
    ...fileHandlers,
    ...serverHandlers,
    ...settingsHandlers,
    ...shareHandlers,
    ...uploadHandlers,
  ].map((each) => [addressOf(each.operation), each]),
)
