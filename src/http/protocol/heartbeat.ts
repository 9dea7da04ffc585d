const SILENCE = 5000

/**
 * Lines that may be long in coming: one empty line when nothing has come for five seconds, so that nobody on the way takes the
 * connection for dead. Readers of lines skip it.
 */
export async function* withHeartbeat(
  lines: AsyncGenerator<string, void, void>,
  milliseconds = SILENCE,
): AsyncGenerator<string, void, void> {
  let timer: NodeJS.Timeout | undefined
  try {
    const first = lines.next()
    const silence = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), milliseconds)
    })
    if ((await Promise.race([first, silence])) === undefined) yield '\n'
    const start = await first
    if (start.done !== true) yield start.value
    yield* lines
  } finally {
    clearTimeout(timer)
    await lines.return()
  }
}
