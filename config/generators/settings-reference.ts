import { kebabCase, upperSnakeCase } from '../../src/domain/text/option-names.ts'
import { formatValue, placeholder } from '../../src/domain/schema/parse-value.ts'
import { leaves, type Leaf } from '../../src/domain/schema/schema-tools.ts'
import { ServerOptions } from '../../src/domain/settings/server-options.ts'
import { Settings } from '../../src/domain/settings/settings.ts'

/** The text of config/reference/settings.md. */
export function settingsReference(): string {
  return `# Settings and start-up values

Made from the schemas by \`npm run generate\`.

## Live settings

\`filemgr settings set <name>=<value>\`; a change acts at once, in a running daemon too.

${table(['Name', 'Value', 'Default', 'Meaning'], leaves(Settings).filter(hasFlag).map(settingRow))}

## Start-up values

Flag of \`filemgr serve\`, else environment variable, else name in the config file, else
\`filemgr server set <name>=<value>\`, else the default. They count from the next start on.

${table(['Name', 'Flag', 'Variable', 'Value', 'Default', 'Meaning'], leaves(ServerOptions).map(optionRow))}
`
}

function settingRow(leaf: Leaf): string[] {
  return [code(leaf.key), valueOf(leaf), defaultOf(leaf), meaningOf(leaf)]
}

function optionRow(leaf: Leaf): string[] {
  const names = [leaf.key, `--${kebabCase(leaf.key)}`, `FILEMGR_${upperSnakeCase(leaf.key)}`]
  return [...names.map(code), valueOf(leaf), defaultOf(leaf), meaningOf(leaf)]
}

const hasFlag = (leaf: Leaf) => leaf.annotation.cli !== false
const code = (text: string) => (text === '' ? '' : `\`${text}\``)
const valueOf = (leaf: Leaf) => placeholder(leaf).replaceAll('|', ', ')
const defaultOf = (leaf: Leaf) => code(formatValue(leaf, leaf.schema.default))

function meaningOf({ schema }: Leaf): string {
  return [schema.title, schema.description].filter((text) => text !== undefined).join('. ')
}

/** A Markdown table, padded as Prettier would. */
function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(headings), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
