import type { ServerEvent } from '../../../src/domain/event.ts'

/** The server says something at least every 15 s; a connection that is silent for longer has died in its sleep. */
const SILENCE = 45_000

/**
 * Reads server-sent events, for which the browser's own reader has no way to send a header.
 *
 * @param onSilence called when nothing has come for a while
 */
export async function* eventsIn(
  body: ReadableStream<Uint8Array>,
  onSilence: () => void,
  silence = SILENCE,
): AsyncGenerator<ServerEvent, void, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let timer = setTimeout(onSilence, silence)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(onSilence, silence)
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = eventOf(block)
        if (event !== undefined) yield event
      }
    }
  } finally {
    clearTimeout(timer)
    await reader.cancel().catch(ignore)
  }
}

function eventOf(block: string): ServerEvent | undefined {
  const fields = new Map(block.split('\n').map((line) => splitField(line)))
  const name = fields.get('event')
  const data = fields.get('data')
  if (name === undefined || data === undefined) return undefined
  return { name, data: JSON.parse(data) as unknown } as ServerEvent
}

function splitField(line: string): readonly [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 1).trimStart()]
}

/** The connection was broken, which the reading has told already. */
function ignore(): void {
  return undefined
}
