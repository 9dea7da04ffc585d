import { Option } from 'commander'
import { OPERATOR } from '../../../domain/accounts/actor.ts'
import { auditText } from '../../../domain/server/audit.ts'
import { fail } from '../../../domain/errors.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { Rule } from '../../../domain/access/rule.ts'
import { counted } from '../../../domain/text/units.ts'
import { command, type CommandGroup, type Invocation, wordOf } from '../../program/command.ts'
import { openContext } from '../../open-context.ts'
import type { Answer, Output } from '../../terminal/output.ts'
import { confirmOrFail } from '../../terminal/prompts.ts'
import { drawTable } from '../../terminal/table.ts'

type Services = Awaited<ReturnType<typeof openContext>>['services']

const ownerFlags = () => [
  new Option('-u, --user <name>', 'rules of this user instead of the global rules'),
  new Option('-i, --id <id>', 'the same by id').hideHelp(),
]

const kindFlags = () => [
  new Option('--deny', 'hide matching paths (default)'),
  new Option('-a, --allow', 'show matching paths that an earlier rule hides'),
  new Option('-r, --regex', 'treat <path> as a regular expression (RE2 syntax) that matches anywhere in the path'),
]

const list = command({
  name: 'ls',
  summary: 'List rules; the last match wins',
  operations: ['settings.get', 'users.get'],
  reads: true,
  options: ownerFlags(),
  examples: [
    ['rules ls', 'global rules'],
    ['rules ls --user bob --json', 'of one user, as JSON'],
  ],
  async run(invocation) {
    await using context = await openContext(invocation)
    const { output, values } = invocation
    const rules = context.services.rules.list(OPERATOR, ownerOf(values, context.services))
    await output.answer(rulesAnswer(rules, output))
  },
})

const add = command({
  name: 'add <path>',
  summary: 'Add a rule at the end of the list, or at a position',
  operations: ['settings.update', 'users.update'],
  changed: accountOf,
  options: [...kindFlags(), new Option('--at <place>', 'position in the list, 0 for the first'), ...ownerFlags()],
  examples: [
    ['rules add /secret --deny', 'hide this folder and its contents from all users'],
    ["rules add '\\.key$' --regex --deny --user bob", 'hide all .key files from bob'],
    ['rules add /secret/open --allow', 'make a part of it visible again'],
  ],
  async run(invocation) {
    await using context = await openContext(invocation)
    const { output, values } = invocation
    const target = { ...ownerOf(values, context.services), at: positionFrom(values['at'], '--at') }
    await output.answer(rulesAnswer(await context.services.rules.add(OPERATOR, ruleFrom(invocation), target), output))
  },
})

const remove = command({
  name: 'rm <position> [last]',
  isOld: true,
  summary: 'Remove the rule at a position, or a range of rules',
  operations: ['settings.update', 'users.update'],
  changed: accountOf,
  options: [
    ...ownerFlags(),
    new Option('-y, --yes', 'do not ask'),
    new Option('--index <place>', 'accepted for old scripts').hideHelp(),
  ],
  examples: [
    ['rules rm 0', 'the first one'],
    ['rules rm 2 4 --user bob --yes', 'rules 2 to 4 of bob, without asking'],
  ],
  async run(invocation) {
    await using context = await openContext(invocation)
    const { output, values, words } = invocation
    const first = requirePosition(wordOf(invocation), 'the position')
    const last = words[1] === undefined ? first : requirePosition(wordOf(invocation, 1), 'the last position')
    const owned = ownerOf(values, context.services)
    const chosen = context.services.rules.list(OPERATOR, owned).slice(first, last + 1)
    // `remove` refuses positions that do not exist, so there is nothing to confirm.
    if (chosen.length === last + 1 - first)
      await confirmOrFail(invocation, `Remove ${chosen.map(describe).join(', ')}?`)
    await output.answer(rulesAnswer(await context.services.rules.remove(OPERATOR, first, last, owned), output))
  },
})

const move = command({
  name: 'move <from> <to>',
  summary: 'Move a rule to another position',
  operations: ['settings.update', 'users.update'],
  changed: accountOf,
  options: ownerFlags(),
  examples: [['rules move 3 0', 'the fourth rule becomes the first']],
  async run(invocation) {
    await using context = await openContext(invocation)
    const { output, values } = invocation
    const [from, to] = [0, 1].map((index) => requirePosition(wordOf(invocation, index), 'the position')) as [
      number,
      number,
    ]
    const owned = ownerOf(values, context.services)
    await output.answer(rulesAnswer(await context.services.rules.move(OPERATOR, from, to, owned), output))
  },
})

const test = command({
  name: 'test <path>',
  summary: 'Show what a rule would hide, without saving it',
  operations: ['rules.preview'],
  options: [...kindFlags(), new Option('-u, --user <name>', 'the user whose files are tested').makeOptionMandatory()],
  examples: [["rules test '\\.key$' --regex --user bob", 'what this rule would hide from bob']],
  async run(invocation) {
    await using context = await openContext(invocation)
    const { output, values } = invocation
    const userId = ownerOf(values, context.services).userId
    const rules = [ruleFrom(invocation)]
    const { paths, count, looked, complete } = await context.services.rules.preview(OPERATOR, { rules, userId })
    const summary = `${count} of ${complete ? '' : 'at least '}${counted(looked, 'entry', 'entries')} would be hidden`
    const text = [...paths, summary].join('\n')
    await output.answer({ json: { paths, count, looked, complete }, ids: paths, text })
  },
})

/** A rule of a user is a part of the account. */
function accountOf({ values: { user, id } }: Invocation): { action: string; target: string } | undefined {
  const target = user ?? id
  return typeof target === 'string' ? { action: 'users.update', target: auditText(target) } : undefined
}

function describe({ allow, regex, path, regexp }: Rule): string {
  return `"${allow ? 'allow' : 'deny'} ${regex ? (regexp?.raw ?? '') : path}"`
}

function rulesAnswer(rules: readonly Rule[], output: Output): Answer {
  const rows = rules.map(({ allow, regex, path, regexp }, index) => [
    String(index),
    allow ? 'allow' : 'deny',
    regex ? 'expression' : 'path',
    regex ? (regexp?.raw ?? '') : path,
  ])
  const text = () => drawTable(['POSITION', 'RULE', 'MATCH', 'PATTERN'], rows, output)
  return { json: rules, ids: rules.map((_, index) => index), text }
}

function ruleFrom(invocation: Invocation): Rule {
  const { values } = invocation
  const [pattern, regex, allow] = [wordOf(invocation), values['regex'] === true, values['allow'] === true]
  if (allow && values['deny'] === true) fail('INVALID_INPUT', 'use either --allow or --deny', { field: 'deny' })
  // Paths begin with a slash, so a rule without one would never match.
  if (!regex && !pattern.startsWith('/')) {
    fail('INVALID_INPUT', `a path starts with a slash: use /${pattern}, or add --regex`, { field: 'path' })
  }
  return { regex, allow, path: regex ? '' : pattern, regexp: regex ? { raw: pattern } : null }
}

function ownerOf(values: Invocation['values'], { users }: Services): { userId?: UserId } {
  const name = typeof values['id'] === 'string' ? `id:${values['id']}` : values['user']
  return typeof name === 'string' ? { userId: users.find(name).id } : {}
}

function positionFrom(value: unknown, name: string): number | undefined {
  return typeof value === 'string' ? requirePosition(value, name) : undefined
}

function requirePosition(text: string, name: string): number {
  if (!/^\d{1,6}$/.test(text)) fail('INVALID_INPUT', `${name} must be a whole number, 0 or more, not "${text}"`)
  return Number(text)
}

export const rules: CommandGroup = { commands: [list, add, remove, move, test] }
