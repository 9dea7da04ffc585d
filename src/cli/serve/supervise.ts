import cluster from 'node:cluster'
import { fail } from '../../domain/errors.ts'
import { createLogger, type LogOutput } from '../../platform/logging/logger.ts'
import type { Invocation } from '../program/command.ts'
import { ownStoreLocation } from '../store-location.ts'
import { Keeper } from './keeper.ts'
import type { Serving } from './orders.ts'
import { noticeStop } from './run-daemon.ts'

/** A socket that this process opens is closed to other accounts until a daemon sets its mode. */
const PRIVATE = 0o177

/**
 * Runs `filemgr serve --processes` until the first SIGTERM or SIGINT: daemons that share a database as on several machines, and a
 * port, which this process opens for them.
 *
 * @throws INVALID_INPUT without a database; what the first daemon that cannot start throws
 */
export async function superviseDaemons(invocation: Invocation, count: number): Promise<void> {
  const { output, values, terminal } = invocation
  const { catchHangups, catchStops, serviceManager } = await import('../../daemon/service-manager.ts')
  using hangups = catchHangups()
  const location = values['ephemeral'] === true ? undefined : await ownStoreLocation(invocation)
  if (location === undefined || location.url === '') {
    const advice = 'give it by --store postgres://…, or leave out --processes'
    fail('INVALID_INPUT', `--processes ${count} needs a store in PostgreSQL: ${advice}`, { field: 'processes' })
  }
  using stops = catchStops()
  const stopping = new AbortController()
  // Connections wait at one socket until a daemon takes them, so none is lost with a daemon that dies or is replaced.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const umask = process.umask(PRIVATE)
  const keepers: Keeper[] = []
  const add = (number: number): Keeper => {
    const keeper = new Keeper({ number, count, dataFolder: location.folder, umask })
    keepers.push(keeper)
    return keeper
  }
  try {
    const serving = await Promise.race([startAll(add, count), stops.stopped])
    if (serving === 'stop') return
    using log = await createLogger({ destination: serving.log, format: serving.logFormat, plain: output.plain })
    for (const keeper of keepers) void keeper.keep(stopping.signal, log)
    hangups.onHangup(reloadWith(keepers, log))
    using manager = terminal.env['NOTIFY_SOCKET'] ? serviceManager(terminal.env, log) : undefined
    void manager?.ready(`${serving.status} with ${count} processes`)
    await stops.stopped
    await manager?.stopping()
    noticeStop(output)
  } finally {
    stopping.abort()
    hangups.onHangup(async () => undefined)
    await Promise.all(keepers.map(async (keeper) => await keeper.stop()))
  }
}

/** The first daemon creates the store and listens; the others follow if it can. @throws as the one that cannot start */
async function startAll(add: (number: number) => Keeper, count: number): Promise<Serving> {
  const first = add(1)
  const serving = await first.serving
  const others = Array.from({ length: count - 1 }, (_, index) => add(index + 2))
  const lost = first.ended.then((how) => fail('INTERNAL', `the first daemon has ended: ${how}`))
  await Promise.race([Promise.all(others.map(async (other) => await other.serving)), lost])
  first.announce()
  return serving
}

/** What SIGHUP does: at once what it does for a single daemon, and then one daemon after another is replaced. */
function reloadWith(keepers: readonly Keeper[], log: LogOutput): () => Promise<void> {
  let replaced = Promise.resolve()
  const replace = async () => {
    for (const keeper of keepers) await keeper.replace()
    log.info('reloaded: all daemons were replaced')
  }
  return async () => {
    log.reopen()
    for (const keeper of keepers) keeper.reload()
    await (replaced = replaced.then(replace))
  }
}
