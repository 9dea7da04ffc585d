/** @throws YAMLParseError with `pos`, the offset of the error */
export async function parseYaml(text: string): Promise<unknown> {
  const { parse } = await import('yaml')
  // The attack is a small text that aliases of aliases expand to gigabytes.
  return parse(text, { prettyErrors: false, maxAliasCount: 100 }) as unknown
}

/** Writes repeated values in full, because few readers understand anchors. */
export async function formatYaml(value: unknown): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify(value, { aliasDuplicateObjects: false })
}
