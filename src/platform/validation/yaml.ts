/** The value that a YAML text says. Loaded at its first use. @throws YAMLParseError with `pos`, the offset of the fault */
export async function parseYaml(text: string): Promise<unknown> {
  const { parse } = await import('yaml')
  // Aliases of aliases could grow a small text to gigabytes.
  return parse(text, { prettyErrors: false, maxAliasCount: 100 }) as unknown
}

/** YAML without anchors, which few readers expect. */
export async function formatYaml(value: unknown): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify(value, { aliasDuplicateObjects: false })
}
