import * as access from './access/operator.ts'
import * as accounts from './accounts/operator.ts'
import * as files from './files/operator.ts'
import type { OperatorOperation } from './operation.ts'
import * as server from './server/operator.ts'
import * as settings from './settings/operator.ts'
import * as shares from './shares/operator.ts'
import * as uploads from './uploads/operator.ts'

/** What only the operator may do. None of it is in OPERATIONS, so HTTP can neither mount nor describe it. */
export const OPERATOR_OPERATIONS: readonly OperatorOperation[] = [
  accounts,
  access,
  files,
  uploads,
  shares,
  settings,
  server,
].flatMap((group) => Object.values<OperatorOperation>(group))
