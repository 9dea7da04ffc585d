import type { EventStream } from '../../services/events.ts'

const SILENCE = 15_000
/** How long a browser waits before it connects again, in milliseconds. */
const RETRY = 3000

/** Events in the format of server-sent events; a comment when nothing has come for a while, so that nobody takes the connection for dead. */
export async function* eventText(
  stream: Pick<EventStream, 'next'>,
  silence = SILENCE,
): AsyncGenerator<string, void, void> {
  yield `retry: ${RETRY}\n\n`
  for (let coming = stream.next(); ;) {
    const next = await orSilence(coming, silence)
    if (next === 'silence') {
      yield ':\n\n'
      continue
    }
    if (next === undefined) return
    yield `id: ${next.id}\nevent: ${next.event.name}\ndata: ${JSON.stringify(next.event.data)}\n\n`
    coming = stream.next()
  }
}

async function orSilence<T>(coming: Promise<T>, milliseconds: number): Promise<T | 'silence'> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<'silence'>((resolve) => {
    timer = setTimeout(() => resolve('silence'), milliseconds)
  })
  try {
    return await Promise.race([coming, silence])
  } finally {
    clearTimeout(timer)
  }
}
