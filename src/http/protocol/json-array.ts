/** Rows are gathered to parts of about this many characters, so that a long list is not sent in drops. */
const PART_LENGTH = 65_536

/** A JSON array in UTF-8, written while its items arrive. */
export async function* jsonArray(items: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  let text = '['
  let separator = ''
  for await (const item of items) {
    text += separator + JSON.stringify(item)
    separator = ','
    if (text.length < PART_LENGTH) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(`${text}]`)
}
