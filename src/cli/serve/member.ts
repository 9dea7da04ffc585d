import { isFilemgrError } from '../../domain/errors.ts'
import type { ServerOptions } from '../../domain/server/server-options.ts'
import { MEMBER } from '../../platform/processes/member.ts'
import type { Invocation } from '../program/command.ts'
import type { Order, Report, Supervision } from './orders.ts'
import { runDaemon } from './run-daemon.ts'

/**
 * Runs one of the daemons of `filemgr serve --processes`. What happens once, such as to make the first account, is only done by the
 * first daemon at its first start.
 */
export async function runMember(invocation: Invocation, flags: Partial<ServerOptions>): Promise<void> {
  const announced = Promise.withResolvers<boolean>()
  const { promise: end, resolve: endBy } = Promise.withResolvers<'giveWay' | 'stop'>()
  process.on('message', (order: Order) => {
    announced.resolve(order === 'announce')
    if (order !== 'announce') endBy(order)
  })
  const supervision: Supervision = {
    end,
    async reportServing(serving) {
      await report({ serving })
      return MEMBER.leads && (await announced.promise)
    },
  }
  try {
    await runDaemon(
      MEMBER.leads ? invocation : { ...invocation, values: {}, output: silent(invocation) },
      flags,
      supervision,
    )
  } catch (error) {
    if (!isFilemgrError(error)) throw error
    const { code, message, details } = error
    await report({ problem: { code, message, details } })
  } finally {
    // Otherwise the process would wait for more orders.
    process.channel?.unref()
  }
}

async function report(report: Report): Promise<void> {
  await new Promise((sent) => process.send?.(report, sent))
}

/** The first daemon has printed the same. */
function silent({ output }: Invocation): Invocation['output'] {
  const nothing = () => undefined
  return { ...output, line: nothing, notice: nothing, warning: nothing }
}
