import type { BodyOf, Declaration, Operation, OperatorOperation, ParamsOf, QueryOf, ReplyOf } from '../api/operation.ts'
import type { Context } from '../context.ts'
import type { Actor } from '../domain/accounts/actor.ts'

/** What somebody asks for. */
export interface Asked<O extends Declaration> {
  readonly actor: Actor
  readonly params: ParamsOf<O>
  readonly query: QueryOf<O>
  readonly body: BodyOf<O>
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal
}

type Value<O extends Declaration> = ReplyOf<O> extends undefined ? void : ReplyOf<O>

/** An operation that runs the same way for HTTP, in the daemon for a command, and in the process of a command. */
export interface Handler {
  readonly operation: Operation | OperatorOperation
  run(asked: Asked<Declaration>, context: Context): unknown
  /** What the activity log names as the target of a command; by default a parameter, or the name in the body. */
  target?(asked: Asked<Declaration>): string | undefined
}

export function handler<const O extends Operation | OperatorOperation>(
  operation: O,
  run: (asked: Asked<O>, context: Context) => Promise<Value<O>> | Value<O>,
  target?: (asked: Asked<O>) => string | undefined,
): Handler {
  return { operation, run, ...(target && { target }) }
}

/** Where a command finds an operation. The operator's form of a call has another address than the call. */
export function addressOf({ id, access }: Pick<Operation | OperatorOperation, 'id' | 'access'>): string {
  return access === 'operator' ? `/operator/${id}` : `/${id}`
}

/** Whether the reply is bytes instead of JSON. */
export function sendsBytes(operation: Operation | OperatorOperation): boolean {
  return 'replyKind' in operation
}
