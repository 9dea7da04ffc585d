import { Option } from 'commander'
import type { TSchema } from 'typebox'
import { kebabCase } from '../../domain/text/option-names.ts'
import { formatValue, parseValue, placeholder } from '../../domain/schema/parse-value.ts'
import { leaves, setAt, type Leaf } from '../../domain/schema/schema-tools.ts'

/** A flag for one value of a schema, such as --branding.name or --port. */
export class LeafOption extends Option {
  readonly leaf: Leaf

  constructor(leaf: Leaf) {
    const long = `--${kebabCase(leaf.key)}`
    const short = leaf.annotation.short === undefined ? '' : `-${leaf.annotation.short}, `
    // A boolean takes its value only after "=" (see `normaliseFlags`), so it never consumes the next word.
    super(`${short}${long} <${placeholder(leaf)}>`, describe(leaf))
    this.leaf = leaf
    // "--no-auth" is a name of its own, not the opposite of "--auth".
    this.negate = false
    this.argParser((text) => parseValue(leaf, text, long))
  }

  /** The form in the help, without the single letters, which exist only for old scripts. */
  term(): string {
    return this.leaf.schema.type === 'boolean' ? `${this.long ?? ''}[=false]` : this.flags.replace(/^-\w, /, '')
  }

  /** The key under which commander keeps the value. */
  override attributeName(): string {
    return this.leaf.key
  }
}

/** Flags for the values of a schema, except values that have their own commands, and flags that every command has. */
export function optionsOf(schema: TSchema, without: readonly string[] = []): LeafOption[] {
  return leaves(schema)
    .filter(({ annotation: { cli, global }, key }) => cli !== false && global !== true && !without.includes(key))
    .map((leaf) => new LeafOption(leaf))
}

/** The same for server options that are saved. The others are understood, so that the error can say where to give them. */
export function savedOptionsOf(schema: TSchema): LeafOption[] {
  const options = optionsOf(schema)
  for (const option of options) if (option.leaf.annotation.web === false) option.hideHelp()
  return options
}

/** The given flags as a nested patch. */
export function patchFrom(
  options: readonly Option[],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const patch: Record<string, unknown> = {}
  for (const option of options) {
    if (!(option instanceof LeafOption)) continue
    const value = values[option.leaf.key]
    if (value !== undefined) setAt(patch, option.leaf.path, value)
  }
  return patch
}

export function isBoolean(option: Option): boolean {
  return option instanceof LeafOption ? option.leaf.schema.type === 'boolean' : !option.required && !option.optional
}

function describe(leaf: Leaf): string {
  const { title, description, default: fallback } = leaf.schema
  const text = [title ?? leaf.key, description].filter((part) => part !== undefined).join('. ')
  const shown = fallback === undefined ? '' : formatValue(leaf, fallback)
  return shown === '' || shown === 'false' ? text : `${text} (default: ${shown})`
}
