import type { Operation, OperatorOperation, ParamsOf, QueryOf, BodyOf, ReplyOf } from '../../api/operation.ts'
import type { Context } from '../../context.ts'
import { readDaemon } from '../../context/daemon-record.ts'
import { fail, isDaemonsTurn } from '../../domain/errors.ts'
import { withoutPassword } from '../../domain/server/store-url.ts'
import { addressOf } from '../../operations/handler.ts'
import type { CommandInput, Performing } from '../../operations/perform.ts'
import type { Invocation } from '../program/command.ts'
import { type Location, ownStoreLocation, storeOf } from '../store-location.ts'
import { callDaemon } from './call-daemon.ts'
import { callerOf } from './caller.ts'

/** What a command gives to an operation. */
export type Input<O extends Operation | OperatorOperation> = Given<'params', O, ParamsOf<O>> &
  Given<'query', O, QueryOf<O>> &
  Given<'body', O, BodyOf<O>> &
  (O extends { readonly bodyKind: 'bytes' } ? { readonly body: BodyOf<O> } : unknown)
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
  /** Default: the store of the command. */
  readonly location?: Location
}

/**
 * Use `await using`.
 *
 * @throws NOT_FOUND when there is no store; STORE_INVALID, STORE_BUSY; INVALID_INPUT; DAEMON_NOT_RUNNING if one is needed
 */
export async function openDoor(invocation: Invocation, options: DoorOptions = {}): Promise<Door> {
  const { needsDaemon = false, location = await ownStoreLocation(invocation) } = options
  const { folder, url } = location
  const by = callerOf(invocation.terminal)
  let context: Context | undefined
  const openOwn = async () => {
    const { openCommandContext } = await import('../command-context.ts')
    return (context ??= await openCommandContext(invocation, location))
  }
  const closeOwn = async () => {
    await context?.[Symbol.asyncDispose]()
    context = undefined
  }
  const findDaemon = async () => {
    const daemon = await readDaemon(folder)
    if (daemon === undefined && needsDaemon)
      fail('DAEMON_NOT_RUNNING', `no daemon is running for ${folder}; start one with "filemgr serve"`)
    return storeOf(daemon) === withoutPassword(url) ? daemon : undefined
  }
  const send = async (operation: Operation | OperatorOperation, input: CommandInput) =>
    await callDaemon(folder, operation, { ...input, by, store: withoutPassword(url) })
  if ((await findDaemon()) === undefined) await openOwn()

  return {
    async call(operation, given) {
      const input = given as CommandInput
      const answer = (await findDaemon()) && (await send(operation, input))
      if (answer !== undefined) return answer.value as never
      try {
        return (await performHere(operation, await openOwn(), { input, by })) as never
      } catch (error) {
        if (!isDaemonsTurn(error)) throw error
        await closeOwn()
        // What was read of a stream cannot be sent again.
        const later = operation.bodyKind === 'bytes' ? undefined : await send(operation, input)
        if (later === undefined) fail('STORE_BUSY', 'A daemon has started meanwhile. Try again.', {}, { cause: error })
        return later.value as never
      }
    },
    [Symbol.asyncDispose]: closeOwn,
  }
}

async function performHere(
  operation: Operation | OperatorOperation,
  context: Context,
  performing: Omit<Performing, 'signal'>,
): Promise<unknown> {
  const [{ HANDLERS }, { perform }] = await Promise.all([
    import('../../operations/handlers.ts'),
    import('../../operations/perform.ts'),
  ])
  const handler = HANDLERS.get(addressOf(operation)) ?? fail('INTERNAL', `${operation.id} has no handler`)
  return await perform(handler, context, { ...performing, signal: new AbortController().signal })
}
