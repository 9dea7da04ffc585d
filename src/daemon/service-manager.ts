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

const STOP = ['SIGTERM', 'SIGINT'] as const

/** The first SIGTERM or SIGINT resolves `stopped`; a second one ends the process immediately, as without a handler. */
export function catchStops(): { readonly stopped: Promise<'stop'> } & Disposable {
  const { promise: stopped, resolve } = Promise.withResolvers<'stop'>()
  const release = () => {
    for (const signal of STOP) process.off(signal, stop)
  }
  const stop = () => {
    release()
    resolve('stop')
  }
  for (const signal of STOP) process.on(signal, stop)
  return { stopped, [Symbol.dispose]: release }
}

/** Ignores SIGHUP, which would end the process, until `onHangup` says what to do at each; disposing of it is for the end. */
export function catchHangups(): { onHangup(work: () => Promise<void>): void } & Disposable {
  let reload: (() => Promise<void>) | undefined
  const hangup = () => void reload?.()
  process.on('SIGHUP', hangup)
  return { onHangup: (work) => (reload = work), [Symbol.dispose]: () => void process.off('SIGHUP', hangup) }
}
