import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { COMMANDS } from '../../src/cli/program/command-list.ts'
import { allCommands, globalOptions } from '../../src/cli/program/command.ts'
import { run } from '../../src/cli/program/run.ts'

/** Flags that every command has, told once instead of under each. */
const COMMON = globalOptions().map(({ flags }) => flags)

/** The text of config/reference/cli.md: what `--help` says, of every command. */
export async function cliReference(): Promise<string> {
  const sections = [
    `# The filemgr command

Made from the commands by \`npm run generate\`.

\`\`\`
${await helpOf([])}
\`\`\``,
  ]
  for (const { path } of await allCommands(COMMANDS)) {
    sections.push(`## ${path.join(' ')}\n\n\`\`\`\n${withoutCommon(await helpOf(path))}\n\`\`\``)
  }
  return `${sections.join('\n\n')}\n`
}

async function helpOf(path: readonly string[]): Promise<string> {
  const stdout = new PassThrough()
  const printed = text(stdout)
  const terminal = { stdin: process.stdin, stdout, stderr: process.stderr, env: {}, cwd: () => '/' }
  const code = await run([...path, '--help'], terminal)
  stdout.end()
  if (code !== 0) throw new Error(`help of ${path.join(' ')} ended with ${code}`)
  return (await printed).trimEnd()
}

/** Long descriptions go on in lines that are indented further than flags. */
function withoutCommon(help: string): string {
  const lines = help.split('\n')
  let dropping = false
  return lines
    .filter((line) => {
      if (/^ {2}\S/.test(line)) dropping = [...COMMON, '-h, --help'].some((flags) => line.startsWith(`  ${flags}`))
      else if (!line.startsWith('   ')) dropping = false
      return !dropping
    })
    .join('\n')
}
