/** The text of an answer, unless it has more bytes than that: no more of it is held than needed to tell. */
export async function textWithin(answer: Response, most: number): Promise<string | undefined> {
  if (Number(answer.headers.get('Content-Length')) > most) {
    await answer.body?.cancel()
    return undefined
  }
  const reader = answer.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const part = await reader?.read()
    if (part === undefined || part.done) return text + decoder.decode()
    size += part.value.length
    if (size > most) {
      await reader?.cancel()
      return undefined
    }
    text += decoder.decode(part.value, { stream: true })
  }
}
