import { type AuditFacts, auditText } from '../domain/server/audit.ts'
import type { Declaration } from '../api/operation.ts'
import type { Context } from '../context.ts'
import { OPERATOR } from '../domain/accounts/actor.ts'
import { fail } from '../domain/errors.ts'
import { isRecord } from '../domain/schema/schema-tools.ts'
import { createSchemaCheck } from '../platform/validation/schema-check.ts'
import type { Asked, Handler } from './handler.ts'
import { recorded } from './recorded.ts'

/** Who runs a command. Only a claim, but one that the account itself, or root, has made. */
export interface CommandCaller {
  /** Account of the machine. */
  readonly account: string
  /** Who became that account with sudo. */
  readonly sudoUser?: string
}

/** What a command gives to an operation. Not checked yet. */
export interface CommandInput {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

export interface Performing {
  readonly input: CommandInput
  readonly by: CommandCaller
  readonly signal: AbortSignal
}

/**
 * Performs an operation for the operator, and records it in the activity log unless it only reads. Commands call it, and the
 * daemon for commands.
 *
 * @throws INVALID_INPUT for input that the operation does not take; as the operation
 */
export async function perform(handler: Handler, context: Context, performing: Performing): Promise<unknown> {
  const { input, by, signal } = performing
  const asked = { actor: OPERATOR, ...checked(handler, input), signal } as Asked<Declaration>
  const work = async () => await handler.run(asked, context)
  if (onlyReads(handler, input)) return await work()
  const facts = { ...whoRan(by), action: handler.operation.id, ...targetOf(handler, asked) }
  return await recorded((outcome) => context.services.audit.record({ ...facts, ...outcome }), work)
}

/** For the activity log. */
export function whoRan({ account, sudoUser }: CommandCaller): Pick<AuditFacts, 'who' | 'account' | 'sudoUser'> {
  return {
    who: 'operator',
    account: auditText(account),
    ...(sudoUser !== undefined && { sudoUser: auditText(sudoUser) }),
  }
}

function onlyReads({ operation }: Handler, { query }: CommandInput): boolean {
  if (isRecord(query) && query['dryRun'] === true) return true
  return 'method' in operation ? operation.method === 'GET' : operation.reads === true
}

function checked({ operation: { params, query, body } }: Handler, input: CommandInput): CommandInput {
  const given = { params: input.params ?? {}, query: input.query ?? {}, body: input.body }
  if (params !== undefined) checkParams(params, given.params)
  if (query !== undefined) createSchemaCheck(query)(given.query)
  if (body !== undefined) createSchemaCheck(body)(given.body)
  return given
}

/** An id of the wrong form does not exist. @throws NOT_FOUND */
function checkParams(schema: Parameters<typeof createSchemaCheck>[0], params: unknown): void {
  try {
    createSchemaCheck(schema)(params)
  } catch (error) {
    fail('NOT_FOUND', 'there is nothing with this id', {}, { cause: error })
  }
}

function targetOf(handler: Handler, asked: Asked<Declaration>): Pick<AuditFacts, 'target'> {
  const target = handler.target ? handler.target(asked) : usualTarget(asked)
  return target === undefined ? {} : { target: auditText(target) }
}

function usualTarget({ params, query, body }: Record<'params' | 'query' | 'body', unknown>): string | undefined {
  const [inPath, inQuery, inBody] = [params, query, body].map((part) => (isRecord(part) ? part : {}))
  const named = [...Object.values(inPath ?? {}), inQuery?.['user'], inBody?.['username'], inBody?.['name']]
  return named.find((text) => typeof text === 'string')
}
