const STOP = ['SIGTERM', 'SIGINT'] as const

/**
 * Resolves at the first SIGTERM or SIGINT. From then on a second one ends the process at once, as if nobody listened.
 *
 * @param hangup called at each SIGHUP: log files are opened anew
 */
export async function untilStopped(hangup: () => void): Promise<void> {
  process.on('SIGHUP', hangup)
  await new Promise<void>((resolve) => {
    const stop = () => {
      for (const signal of STOP) process.off(signal, stop)
      resolve()
    }
    for (const signal of STOP) process.on(signal, stop)
  })
  process.off('SIGHUP', hangup)
}
