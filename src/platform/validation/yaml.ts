/** As in older YAML, a mode such as 0640 is octal; YAML 1.2 reads it as 640. */
const OCTAL = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:int',
  test: /^0[0-7]+$/,
  resolve: (text: string) => Number.parseInt(text, 8),
} as const

/** @throws YAMLParseError with `pos`, the offset of the error */
export async function parseYaml(text: string): Promise<unknown> {
  const { parse } = await import('yaml')
  // The attack is a small text that aliases of aliases expand to gigabytes.
  return parse(text, { prettyErrors: false, maxAliasCount: 100, customTags: (tags) => [OCTAL, ...tags] }) as unknown
}

/** Writes repeated values in full, because few readers understand anchors. */
export async function formatYaml(value: unknown): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify(value, { aliasDuplicateObjects: false })
}
