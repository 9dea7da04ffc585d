/** "baseURL" → "base-url", "tus.chunkSize" → "tus.chunk-size": how an option is spelled on the command line. */
export function kebabCase(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()
}

/** "baseURL" → "BASE_URL": how an option is spelled in the environment, behind its prefix. */
export function upperSnakeCase(key: string): string {
  return kebabCase(key).replace(/[-.]/g, '_').toUpperCase()
}

/** Equal for all spellings of one name: "baseURL", "base-url", "BASE_URL" and "baseurl". */
export function foldName(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase()
}

/** The candidate that differs least from a misspelled name, when the difference is small enough to be a slip. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const folded = foldName(name)
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(folded, foldName(candidate)) }))
    .sort((one, other) => one.distance - other.distance)
  const best = ranked[0]
  return best !== undefined && best.distance <= Math.ceil(folded.length * 0.4) ? best.candidate : undefined
}

/** Insertions, removals and replacements that turn one text into the other. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1]
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (other[column - 1] === letter ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
