const STOP = ['SIGTERM', 'SIGINT'] as const

/** The first SIGTERM or SIGINT resolves `stopped`; from then on another one ends the process at once, as if there were no handler. */
export function catchStops(): { readonly stopped: Promise<void> } & Disposable {
  const { promise: stopped, resolve } = Promise.withResolvers<undefined>()
  const release = () => {
    for (const signal of STOP) process.off(signal, stop)
  }
  const stop = () => {
    release()
    resolve(undefined)
  }
  for (const signal of STOP) process.on(signal, stop)
  return { stopped, [Symbol.dispose]: release }
}

/**
 * From now on to the end of the process SIGHUP does not end it, as it would without a handler.
 *
 * @returns takes what to do at each SIGHUP, once there is something to reload
 */
export function catchHangups(): (reload: () => Promise<void>) => void {
  let reload: (() => Promise<void>) | undefined
  process.on('SIGHUP', () => void reload?.())
  return (work) => (reload = work)
}
