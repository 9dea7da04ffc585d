import type { Operation, OperatorOperation, ParamsOf, QueryOf, BodyOf, ReplyOf } from '../../api/operation.ts'
import { fail } from '../../domain/errors.ts'
import { withoutPassword } from '../../domain/server/store-url.ts'
import { addressOf } from '../../operations/handler.ts'
import type { CommandInput } from '../../operations/perform.ts'
import type { Invocation } from '../program/command.ts'
import { ownStoreLocation, storeOf } from '../store-location.ts'
import { callDaemon, type DaemonCall } from './call-daemon.ts'
import { callerOf } from './caller.ts'

/** What a command gives to an operation. */
export type Input<O extends Operation | OperatorOperation> = Given<'params', O, ParamsOf<O>> &
  Given<'query', O, QueryOf<O>> &
  Given<'body', O, BodyOf<O>>
type Given<Part extends 'params' | 'query' | 'body', O, Value> = Part extends keyof O
  ? Readonly<Record<Part, Value>>
  : unknown

/**
 * The only way in which commands do something: beside a daemon with the same store, the daemon performs the operation; otherwise
 * this process does. Either records it in the activity log.
 */
export interface Door extends AsyncDisposable {
  /** @throws as the operation; STORE_BUSY if the daemon does not answer: then it may have been performed or not */
  call<const O extends Operation | OperatorOperation>(operation: O, input: Input<O>): Promise<ReplyOf<O>>
}

export interface DoorOptions {
  /** For what only a daemon knows. */
  readonly needsDaemon?: boolean
}

/**
 * Use `await using`.
 *
 * @throws NOT_FOUND when there is no store; STORE_INVALID, STORE_BUSY; INVALID_INPUT; DAEMON_NOT_RUNNING if one is needed
 */
export async function openDoor(invocation: Invocation, { needsDaemon = false }: DoorOptions = {}): Promise<Door> {
  const by = callerOf(invocation.terminal)
  const location = await ownStoreLocation(invocation)
  const { readDaemon } = await import('../../context/daemon-record.ts')
  const daemon = await readDaemon(location.folder)
  if (daemon === undefined && needsDaemon)
    fail('DAEMON_NOT_RUNNING', `no daemon is running for ${location.folder}; start one with "filemgr serve"`)
  const { noteDoor } = await import('../../services/server/audit/notes.ts')
  noteDoor()
  const own = daemon === undefined || storeOf(daemon) !== withoutPassword(location.url) ? undefined : daemon
  if (own !== undefined) {
    const send = async (call: DaemonCall) => await callDaemon(location.folder, own, call)
    return {
      call: async (operation, input) =>
        (await send({ address: addressOf(operation), sent: { ...(input as CommandInput), by } })) as never,
      [Symbol.asyncDispose]: async () => undefined,
    }
  }
  const { openContext } = await import('../open-context.ts')
  const [context, { HANDLERS }, { perform }] = await Promise.all([
    openContext(invocation),
    import('../../operations/handlers.ts'),
    import('../../operations/perform.ts'),
  ])
  return {
    async call(operation, input) {
      const handler = HANDLERS.get(addressOf(operation)) ?? fail('INTERNAL', `${operation.id} has no handler`)
      const signal = new AbortController().signal
      return (await perform(handler, context, { input: input as CommandInput, by, signal })) as never
    },
    [Symbol.asyncDispose]: async () => await context[Symbol.asyncDispose](),
  }
}
