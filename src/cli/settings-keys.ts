import { fail } from '../domain/errors.ts'
import { foldName, foldOldName, nearestName } from '../domain/option-names.ts'
import { parseValue } from '../domain/parse-value.ts'
import type { Leaf } from '../domain/schema-tools.ts'

/** The value that a key in any spelling names. @throws INVALID_INPUT with the nearest one */
export function findLeaf(leaves: readonly Leaf[], key: string): Leaf {
  const found = leaves.find((leaf) => foldName(leaf.key) === foldOldName(key))
  if (found === undefined) {
    const nearest = nearestName(
      key,
      leaves.map((leaf) => leaf.key),
    )
    const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`
    fail('INVALID_INPUT', `there is no value named "${key}"${hint}`, { field: key })
  }
  if (found.annotation.cli === false)
    fail('INVALID_INPUT', `${found.key} has commands of its own`, { field: found.key })
  return found
}

/** A word such as "tus.chunkSize=20MB". @throws INVALID_INPUT */
export function parseAssignment(leaves: readonly Leaf[], word: string): { leaf: Leaf; value: unknown } {
  const equals = word.indexOf('=')
  if (equals < 1) fail('INVALID_INPUT', `"${word}" sets nothing; write name=value`, { field: word })
  const leaf = findLeaf(leaves, word.slice(0, equals))
  return { leaf, value: parseValue(leaf, word.slice(equals + 1)) }
}
