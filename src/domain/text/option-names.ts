/** The spelling on the command line: "baseURL" → "base-url", "tus.chunkSize" → "tus.chunk-size". */
export function kebabCase(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()
}

/** The spelling in the environment, after the prefix: "baseURL" → "BASE_URL". */
export function upperSnakeCase(key: string): string {
  return kebabCase(key).replace(/[-.]/g, '_').toUpperCase()
}

/** Equal for all spellings of one name: "baseURL", "base-url", "BASE_URL" and "baseurl". */
export function foldName(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase()
}

/** File Browser's option names and our names for the same options, both folded. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'auth.method': 'authmethod',
  'auth.logoutpage': 'logoutpage',
  database: 'data',
  imgprocessors: 'imageprocessors',
}

/** Like `foldName`, but also maps File Browser's names to ours: "auth.method" is `authMethod`. */
export function foldOldName(name: string): string {
  const folded = foldName(name)
  return OTHER_NAMES[folded] ?? folded
}

/** The most similar candidate, if it is similar enough to be what was meant. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const folded = foldName(name)
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(folded, foldName(candidate)) }))
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best !== undefined && best.distance <= Math.ceil(folded.length * 0.4) ? best.candidate : undefined
}

/** Damerau–Levenshtein distance (optimal string alignment). */
function editDistance(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, (_, line) => [line])
  const at = (line: number, column: number) => rows[line]?.[column] ?? line + column
  for (let column = 1; column <= other.length; column += 1) {
    rows[0]?.push(column)
    for (let line = 1; line <= one.length; line += 1) {
      const same = one[line - 1] === other[column - 1]
      const swapped =
        line > 1 && column > 1 && one[line - 1] === other[column - 2] && one[line - 2] === other[column - 1]
      const costs = [at(line - 1, column) + 1, at(line, column - 1) + 1, at(line - 1, column - 1) + (same ? 0 : 1)]
      rows[line]?.push(Math.min(...costs, swapped ? at(line - 2, column - 2) + 1 : Infinity))
    }
  }
  return at(one.length, other.length)
}
