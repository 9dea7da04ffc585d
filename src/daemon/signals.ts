const STOP = ['SIGTERM', 'SIGINT'] as const

/**
 * Listens for signals from now on. The first SIGTERM or SIGINT resolves `stopped`; from then on another one ends the
 * process at once, as if there were no handler.
 *
 * @param hangup called at each SIGHUP: log files are opened anew
 */
export function catchSignals(hangup: () => void): { readonly stopped: Promise<void> } & Disposable {
  const { promise: stopped, resolve } = Promise.withResolvers<undefined>()
  const release = () => {
    for (const signal of STOP) process.off(signal, stop)
  }
  const stop = () => {
    release()
    resolve(undefined)
  }
  for (const signal of STOP) process.on(signal, stop)
  process.on('SIGHUP', hangup)
  return {
    stopped,
    [Symbol.dispose]() {
      release()
      process.off('SIGHUP', hangup)
    },
  }
}
