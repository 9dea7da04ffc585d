/** The value of a JSON text, which is never undefined; undefined for a text that is none, such as one that was cut off. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
