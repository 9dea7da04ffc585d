import type { IncomingHttpHeaders } from 'node:http'
import { fail } from '../domain/errors.ts'
import { parseJson } from '../domain/schema/parse-value.ts'
import { isRecord } from '../domain/schema/schema-tools.ts'
import type { CommandCaller, CommandInput } from './perform.ts'

/** What a command sends to the daemon beside the body of an operation. */
export interface SentCall extends Omit<CommandInput, 'body'> {
  readonly by: CommandCaller
  /** Which store is meant: the URL of a database without its password, "" for the data folder. */
  readonly store: string
}

const NAME = 'filemgr-call'

/** Header fields are ASCII, and names are not. */
export function callHeader(call: SentCall): Record<string, string> {
  return { [NAME]: Buffer.from(JSON.stringify(call)).toString('base64url') }
}

/** @throws INVALID_INPUT */
export function callFrom(headers: IncomingHttpHeaders): SentCall {
  const call = parseJson(Buffer.from(String(headers[NAME] ?? ''), 'base64url').toString())
  if (!isRecord(call)) return fail('INVALID_INPUT', 'The request of the command is not valid.')
  const { params, query, by, store } = call
  const { account, sudoUser } = isRecord(by) ? by : {}
  return {
    params,
    query,
    store: typeof store === 'string' ? store : '',
    by: {
      account: typeof account === 'string' ? account : '',
      ...(typeof sudoUser === 'string' && { sudoUser }),
    },
  }
}
