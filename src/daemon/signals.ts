const STOP = ['SIGTERM', 'SIGINT'] as const

/** The first SIGTERM or SIGINT resolves `stopped`; a second one ends the process immediately, as without a handler. */
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
 * Installs a SIGHUP handler for the rest of the process; without one, a SIGHUP during the start would end it.
 *
 * @returns a function that sets what to do at each SIGHUP
 */
export function catchHangups(): (reload: () => Promise<void>) => void {
  let reload: (() => Promise<void>) | undefined
  process.on('SIGHUP', () => void reload?.())
  return (work) => (reload = work)
}
