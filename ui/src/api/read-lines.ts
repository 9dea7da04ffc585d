/** The lines of an answer while it comes, without their ends. What stands behind the last end is a line too, if it is something. */
export async function* readLines(bytes: ReadableStream<Uint8Array>): AsyncGenerator<string[], void, void> {
  const reader = bytes.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  let rest = ''
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + part.value).split('\n')
      rest = lines.pop() ?? ''
      if (lines.length > 0) yield lines
    }
    if (rest !== '') yield [rest]
  } finally {
    await reader.cancel()
  }
}
