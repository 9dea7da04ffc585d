import { Option } from 'commander'
import { fail } from '../../../domain/errors.ts'
import {
  RenamePattern,
  changesName,
  PROBLEM_ERRORS,
  type Rename,
  type RenameOutcome,
  type RenamePlan,
  type RenameRequest,
} from '../../../domain/files/renames/renames.ts'
import { parseJson } from '../../../domain/schema/parse-value.ts'
import { isRecord } from '../../../domain/schema/schema-tools.ts'
import { remoteOf, remoteOptions, sendJson } from '../../server-client.ts'
import { counted } from '../../../domain/text/units.ts'
import { command, type Invocation, restOf, wordOf } from '../../program/command.ts'
import { optionsOf, patchFrom } from '../../program/schema-options.ts'
import { readExactText } from '../../program/named-files.ts'
import { confirmOrFail } from '../../program/prompts.ts'
import { drawTable, type TableStyle } from '../../terminal/table.ts'

const PATTERN = optionsOf(RenamePattern)
const HEADINGS = ['OLD NAME', 'NEW NAME', 'PROBLEM']

export const rename = command({
  name: 'rename <folder> [name...]',
  summary: 'Rename several entries of a folder of a server with an API token',
  options: [
    ...remoteOptions(),
    ...PATTERN,
    new Option('--undo <file>', 'rename back what an earlier command has printed with --json'),
    new Option('--dry-run', 'only show the new names'),
    new Option('-y, --yes', 'do not ask'),
  ],
  examples: [
    ["rename /photos --template 'Beach {n}' --digits 3 --dry-run", 'show the new names of all in the folder'],
    ["rename /photos a.jpg b.jpg --template '{date} {n}' --yes --json > done.json", 'two of them, without asking'],
    ['rename /photos --undo done.json', 'back to the old names'],
    ['rename /inbox --find draft --replace final --letters lower', 'other text, in lower case'],
  ],
  async run(invocation) {
    const { output, values } = invocation
    const folder = wordOf(invocation)
    const request = await requestOf(invocation)
    const remote = await remoteOf(invocation)
    const { renames } = await sendJson<RenamePlan>(remote, 'rename-plan', folder, request)
    const changed = renames.filter(changesName)
    const table = async () => await tableOf(changed, output)
    if (values['dryRun'] === true) {
      await output.answer({ json: { renames: changed }, ids: changed.map(({ to }) => to), text: table })
      return
    }
    if (changed.length > 0) output.notice(await table())
    const wrong = changed.find(({ problem }) => problem !== undefined)
    if (wrong?.problem !== undefined) {
      const [code, reason] = PROBLEM_ERRORS[wrong.problem]
      fail(code, `"${wrong.from}" cannot be renamed: ${reason}; nothing was renamed`)
    }
    if (changed.length > 0) await confirmOrFail(invocation, `Rename ${counted(changed.length, 'entry', 'entries')}?`)
    const outcome =
      changed.length === 0
        ? { renamed: [], failed: [] }
        : await sendJson<RenameOutcome>(remote, 'rename', folder, { renames: changed })
    const { renamed, failed } = outcome
    await output.answer({ json: outcome, ids: renamed.map(({ to }) => to), text: `${renamed.length} renamed` })
    for (const { from, error } of failed) output.warning(`"${from}" was not renamed: ${error.message}`)
    if (failed.length > 0) fail('CONFLICT', `not renamed: ${failed.length} of ${changed.length}`)
  },
})

/** @throws INVALID_INPUT without a pattern */
async function requestOf(invocation: Invocation): Promise<RenameRequest> {
  const { values } = invocation
  const names = [...restOf(invocation)]
  const pattern = patchFrom(PATTERN, values) as RenamePattern
  const { undo } = values
  const isEmpty = Object.keys(pattern).length === 0
  if (typeof undo === 'string') {
    if (!isEmpty || names.length > 0) fail('INVALID_INPUT', '--undo takes no names and no pattern', { field: 'undo' })
    return { renames: await reversedRenames(undo, invocation) }
  }
  if (isEmpty) fail('INVALID_INPUT', 'say how to rename, such as with --find or --template', { field: 'template' })
  return names.length === 0 ? { pattern } : { pattern, names }
}

/** Renames that reverse those of an earlier command. */
async function reversedRenames(file: string, { terminal }: Invocation): Promise<Rename[]> {
  const text = await readExactText(file, terminal)
  const parsed = parseJson(text)
  const renamed: unknown = isRecord(parsed) ? parsed['renamed'] : undefined
  if (!Array.isArray(renamed) || !renamed.every(isRename))
    fail('INVALID_INPUT', `${file} is not what "filemgr rename --json" prints`, { field: 'undo' })
  return renamed.map(({ from, to }) => ({ from: to, to: from }))
}

function isRename(value: unknown): value is Rename {
  return isRecord(value) && typeof value['from'] === 'string' && typeof value['to'] === 'string'
}

async function tableOf(renames: RenamePlan['renames'], style: TableStyle): Promise<string> {
  const hasProblems = renames.some(({ problem }) => problem !== undefined)
  const rows = renames.map(({ from, to, problem }) => [
    from,
    to,
    ...(hasProblems ? [problem === undefined ? '' : PROBLEM_ERRORS[problem][1]] : []),
  ])
  return await drawTable(hasProblems ? HEADINGS : HEADINGS.slice(0, 2), rows, style)
}
