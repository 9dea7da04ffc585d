import { execFile } from 'node:child_process'
import type { Environment } from '../options/environment.ts'
import type { Logger } from '../platform/logging/logger.ts'

/**
 * Reports to systemd, which has started the daemon; disposing of it ends the reports to the watchdog. Uses the program
 * `systemd-notify`, because Node has no datagram sockets for paths.
 */
export function serviceManager(environment: Environment, log: Logger) {
  const { NOTIFY_SOCKET: socket, PATH, WATCHDOG_USEC } = environment
  let watchdog: NodeJS.Timeout | undefined

  const report = async (...states: string[]) => {
    await new Promise<void>((resolve) => {
      execFile('systemd-notify', states, { env: { NOTIFY_SOCKET: socket, PATH }, timeout: 10_000 }, (err) => {
        if (err !== null) log.warn({ err }, 'systemd-notify failed, so systemd does not know the state of the daemon')
        resolve()
      })
    })
  }

  return {
    /** @param status shown by `systemctl status` */
    async ready(status: string): Promise<void> {
      await report('READY=1', `STATUS=${status}`)
      const limit = Number(WATCHDOG_USEC) / 1000
      // A timer of the event loop, so that a daemon whose loop is blocked does not report.
      if (limit > 0) watchdog = setInterval(() => void report('WATCHDOG=1'), limit / 2).unref()
    },
    stopping: async (): Promise<void> => await report('STOPPING=1'),
    [Symbol.dispose]: () => clearInterval(watchdog),
  }
}
