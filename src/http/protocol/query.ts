/** A query as an object. Of a name that comes twice the first one counts; the object has no prototype to be polluted. */
export function parseQuery(text: string): Record<string, unknown> {
  const query = Object.create(null) as Record<string, unknown>
  for (const [name, value] of new URLSearchParams(text)) query[name] ??= value
  return query
}
