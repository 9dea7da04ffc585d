import { why as explain } from '../../../api/access/rules.ts'
import { fail } from '../../../domain/errors.ts'
import {
  ACTION_NAMES,
  describeRule,
  isMissing,
  type Action,
  type Explanation,
} from '../../../domain/access/explanation.ts'
import { nearestName } from '../../../domain/text/option-names.ts'
import { printable } from '../../../domain/text/printable.ts'
import { command, wordOf } from '../../program/command.ts'
import { openDoor } from '../../door/door.ts'

export const why = command({
  name: 'why <user> <action> <path>',
  summary: `Explain what a user may do with a path: ${ACTION_NAMES.join(', ')}`,
  operations: ['rules.why'],
  examples: [
    ['why bob delete /secret/x', 'exit code 0 either way'],
    ['why bob download /a.txt --json', 'for scripts: .allowed, .obstacles, .exists'],
  ],
  async run(invocation) {
    const action = actionFrom(wordOf(invocation, 1))
    await using door = await openDoor(invocation)
    const found = await door.call(explain, {
      query: { user: wordOf(invocation), action, path: wordOf(invocation, 2) },
    })
    const ids = [found.allowed ? 'allowed' : 'refused']
    await invocation.output.answer({
      json: found,
      ids,
      text: sentences(found)
        .map((sentence) => printable(sentence))
        .join('\n'),
    })
  },
})

function sentences(found: Explanation): string[] {
  const { user, action, path, allowed, obstacles, needs, by, permissionRules = [], rule, complete } = found
  const missing = isMissing(found) ? [`  nothing is at ${path}`] : []
  const place = found.place === undefined ? [] : [`  ${placeSentence(found.place)}`]
  if (!allowed)
    return [
      `${user} may not ${action} ${path}:`,
      ...place,
      ...obstacles.map(({ message }) => `  ${message}`),
      ...missing,
    ]
  return [
    `${user} may ${action} ${path}:`,
    ...place,
    `  ${needs.length === 0 ? 'no permission is needed' : `permissions: ${needs.join(', ')}`}`,
    ...by.map(({ permission, group }) => `  the group ${group} gives the permission ${permission}`),
    ...permissionRules.map(({ permission, placed }) => `  ${describeRule(placed)} gives the permission ${permission}`),
    `  ${rule === null ? 'no rule matches' : `${describeRule(rule)} allows it`}`,
    ...(complete ? [] : ['  only part of the folder was checked: something deeper in it may be denied']),
    ...missing,
  ]
}

function placeSentence({ name, root, groups = [] }: NonNullable<Explanation['place']>): string {
  const by = groups.length === 0 ? 'to this user' : `by the group ${groups.join(', ')}`
  return `it is in the place ${name}, of the root ${root}, which is given ${by}`
}

function actionFrom(word: string): Action {
  const found = ACTION_NAMES.find((name) => name === word)
  if (found !== undefined) return found
  const nearest = nearestName(word, ACTION_NAMES)
  const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`
  return fail('INVALID_INPUT', `unknown action "${word}"${hint}; use one of ${ACTION_NAMES.join(', ')}`, {
    field: 'action',
  })
}
