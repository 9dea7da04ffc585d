import * as auth from './auth.ts'
import * as files from './files.ts'
import type { Operation } from './operation.ts'
import * as server from './server.ts'
import * as settings from './settings.ts'
import * as users from './users.ts'

/** Every call of the wire; the parity test, the rights matrix and OpenAPI read this list. */
export const OPERATIONS: readonly Operation[] = [auth, files, users, settings, server].flatMap((group) =>
  Object.values<Operation>(group),
)
