/**
 * True when the Accept header names JSON and nothing textual before it. Clients of the original name no type and show
 * the plain text as it is.
 */
export function prefersJson(accept: string | undefined): boolean {
  const quality = new Map((accept ?? '').split(',').map(readEntry))
  const json = quality.get('application/json') ?? 0
  const others = ['text/plain', 'text/html'].map((type) => quality.get(type) ?? 0)
  return json > 0 && others.every((other) => other <= json)
}

function readEntry(entry: string): [type: string, quality: number] {
  const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return [type, quality === undefined ? 1 : Number(quality) || 0]
}
