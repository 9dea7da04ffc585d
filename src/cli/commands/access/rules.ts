import { Option } from 'commander'
import { addRule, listRules, moveRule, removeRules } from '../../../api/access/operator.ts'
import { previewRules } from '../../../api/access/rules.ts'
import { fail } from '../../../domain/errors.ts'
import { type AnyRule, type PathPermission, type Rule } from '../../../domain/access/rule.ts'
import { counted } from '../../../domain/text/units.ts'
import { command, type CommandGroup, type Invocation, wordOf } from '../../program/command.ts'
import { openDoor } from '../../door/door.ts'
import type { Answer, Output } from '../../terminal/output.ts'
import { confirmOrFail } from '../../program/prompts.ts'
import { drawTable } from '../../terminal/table.ts'
import { PERMISSION_WORDS, permissionsIn } from './permission-words.ts'

const ownerFlags = () => [
  new Option('-u, --user <name>', 'rules of this user instead of the global rules'),
  new Option('--group <name>', 'rules of this group instead of the global rules'),
  new Option('--root <root>', 'rules of the place that the user or group has in this root'),
  new Option('--folder <path>', 'which place in the root, if there are several'),
  new Option('-i, --id <id>', 'the same by id').hideHelp(),
]

const kindFlags = () => [
  new Option('--deny', 'hide matching paths (default)'),
  new Option('-a, --allow', 'show matching paths that an earlier rule hides'),
  new Option('-r, --regex', 'treat <path> as a regular expression (RE2 syntax) that matches anywhere in the path'),
]

const permissionsFlag = () =>
  new Option('--permissions <list>', `what may be done there, and no more: ${PERMISSION_WORDS.join(', ')}`)

const list = command({
  name: 'ls',
  summary: 'List rules; the last match wins',
  operations: ['rules.list'],
  options: ownerFlags(),
  examples: [
    ['rules ls', 'global rules'],
    ['rules ls --user bob --json', 'of one user, as JSON'],
    ['rules ls --group family --root photos', 'of what a group gives in a root'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const { output } = invocation
    await output.answer(rulesAnswer(await door.call(listRules, { query: ownerFrom(invocation) }), output))
  },
})

const add = command({
  name: 'add <path>',
  summary: 'Add a rule at the end of the list, or at a position',
  operations: ['rules.add'],
  options: [
    ...kindFlags(),
    permissionsFlag(),
    new Option('--at <place>', 'position in the list, 0 for the first'),
    ...ownerFlags(),
  ],
  examples: [
    ['rules add /secret --deny', 'hide this folder and its contents from all users'],
    ["rules add '\\.key$' --regex --deny --user bob", 'hide all .key files from bob'],
    ['rules add /contracts --deny --group Interns', 'hide this folder from the members of a group'],
    ['rules add /secret/open --allow', 'make a part of it visible again'],
    ['rules add /shared --permissions view,download --user anna', 'anna may look and download there, and nothing else'],
    ['rules add /private --deny --group family --root photos', 'hide a folder of a place from those who have it'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const { output, values } = invocation
    const place = typeof values['at'] === 'string' ? { at: requirePosition(values['at'], '--at') } : {}
    const body = { rule: { ...ruleFrom(invocation), ...permissionsFrom(invocation) }, ...place }
    await output.answer(rulesAnswer(await door.call(addRule, { query: ownerFrom(invocation), body }), output))
  },
})

const remove = command({
  name: 'rm <position> [last]',
  isOld: true,
  summary: 'Remove the rule at a position, or a range of rules',
  operations: ['rules.remove'],
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
    await using door = await openDoor(invocation)
    const { output, words } = invocation
    const first = requirePosition(wordOf(invocation), 'the position')
    const last = words[1] === undefined ? first : requirePosition(wordOf(invocation, 1), 'the last position')
    const query = ownerFrom(invocation)
    const chosen = (await door.call(listRules, { query })).slice(first, last + 1)
    // `removeRules` refuses positions that do not exist, so there is nothing to confirm.
    if (chosen.length === last + 1 - first)
      await confirmOrFail(invocation, `Remove ${chosen.map(describe).join(', ')}?`)
    await output.answer(rulesAnswer(await door.call(removeRules, { query, body: { first, last } }), output))
  },
})

const move = command({
  name: 'move <from> <to>',
  summary: 'Move a rule to another position',
  operations: ['rules.move'],
  options: ownerFlags(),
  examples: [['rules move 3 0', 'the fourth rule becomes the first']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const { output } = invocation
    const position = (index: number) => requirePosition(wordOf(invocation, index), 'the position')
    const body = { from: position(0), to: position(1) }
    await output.answer(rulesAnswer(await door.call(moveRule, { query: ownerFrom(invocation), body }), output))
  },
})

const test = command({
  name: 'test <path>',
  summary: 'Show what a rule would hide, or decide about, without saving it',
  operations: ['rules.preview'],
  options: [
    ...kindFlags(),
    permissionsFlag(),
    new Option('-u, --user <name>', 'the user whose files are tested'),
    new Option('--root <root>', 'test the files of this root instead'),
    new Option('--folder <path>', 'a folder of the root'),
  ],
  examples: [
    ["rules test '\\.key$' --regex --user bob", 'what this rule would hide from bob'],
    ['rules test /2023 --permissions view --root photos', 'where this rule would decide what may be done'],
  ],
  async run(invocation) {
    const { output, values } = invocation
    const { user, root, folder } = values
    if ((typeof user === 'string') === (typeof root === 'string'))
      fail('INVALID_INPUT', 'say whose files to test: use either --user or --root', { field: 'user' })
    const rule = ruleFrom(invocation)
    const { permissions } = permissionsFrom(invocation)
    const { allow: _allow, ...about } = rule
    const body = {
      ...(permissions === undefined ? { rules: [rule] } : { rules: [], permissionRules: [{ ...about, permissions }] }),
      ...(typeof user === 'string' && { user }),
      ...(typeof root === 'string' && { root }),
      ...(typeof folder === 'string' && { folder }),
    }
    await using door = await openDoor(invocation)
    const found = await door.call(previewRules, { body })
    const { paths, count } = found.decided ?? found
    const looked = `${found.complete ? '' : 'at least '}${counted(found.looked, 'entry', 'entries')}`
    const effect = permissions === undefined ? 'would be hidden' : `would allow ${effectOf({ ...rule, permissions })}`
    const text = [...paths, `${count} of ${looked} ${effect}`].join('\n')
    await output.answer({ json: found, ids: paths, text })
  },
})

function describe(rule: AnyRule): string {
  return `"${effectOf(rule)} ${rule.regex ? (rule.regexp?.raw ?? '') : rule.path}"`
}

/** Such as "deny", or "view, download" for what may be done there. */
function effectOf({ allow, permissions }: AnyRule): string {
  if (permissions === undefined) return allow ? 'allow' : 'deny'
  return ['view', ...permissions].join(', ')
}

function rulesAnswer(rules: readonly AnyRule[], output: Output): Answer {
  const rows = rules.map((rule, index) => [
    String(index),
    effectOf(rule),
    rule.regex ? 'expression' : 'path',
    rule.regex ? (rule.regexp?.raw ?? '') : rule.path,
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

function permissionsFrom({ values }: Invocation): { permissions?: PathPermission[]; allow?: true } {
  const { permissions: text, deny, allow } = values
  if (typeof text !== 'string') return {}
  const field = 'permissions'
  if (deny === true || allow === true) {
    const advice = 'permissions neither show nor hide a path: add a second rule with --allow or --deny'
    fail('INVALID_INPUT', advice, { field })
  }
  return { allow: true, permissions: permissionsIn(text) }
}

function ownerFrom({ values: { user, id, group, root, folder } }: Invocation) {
  const owner = typeof id === 'string' ? `id:${id}` : user
  return {
    ...(typeof owner === 'string' && { user: owner }),
    ...(typeof group === 'string' && { group }),
    ...(typeof root === 'string' && { root }),
    ...(typeof folder === 'string' && { folder }),
  }
}

function requirePosition(text: string, name: string): number {
  if (!/^\d{1,6}$/.test(text)) fail('INVALID_INPUT', `${name} must be a whole number, 0 or more, not "${text}"`)
  return Number(text)
}

export const rules: CommandGroup = { commands: [list, add, remove, move, test] }
