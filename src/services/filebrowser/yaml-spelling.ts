import { isRecord } from '../../domain/schema-tools.ts'

/**
 * An export as it stands in a YAML file of File Browser: names in small letters, two of them others than in JSON, and the
 * key as a list of bytes.
 */
export function yamlSpelling(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(yamlSpelling)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).flatMap(([name, inner]) => respelled(name, inner)))
}

function respelled(name: string, inner: unknown): [string, unknown][] {
  if (name === 'key' && typeof inner === 'string') return [['key', [...Buffer.from(inner, 'base64')]]]
  if (name === 'imageResolutionCalculation') return [['imageresolutioncal', inner]]
  const pair: [string, unknown] = [name.toLowerCase(), yamlSpelling(inner)]
  return name === 'followExternalSymlinks' ? [pair, ['caseinsensitivefs', false]] : [pair]
}
