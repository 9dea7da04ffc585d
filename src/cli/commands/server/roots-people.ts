import { Option } from 'commander'
import { givePlace, takePlace } from '../../../api/server/operator.ts'
import { listRoots } from '../../../api/server/roots.ts'
import { PATH_PERMISSIONS, type PathPermission } from '../../../domain/access/rule.ts'
import type { GivenPlace } from '../../../domain/accounts/place.ts'
import { fail } from '../../../domain/errors.ts'
import { type Door, openDoor } from '../../door/door.ts'
import { command, type Invocation, wordOf } from '../../program/command.ts'
import { confirmOrFail } from '../../program/prompts.ts'
import type { Answer, Output } from '../../terminal/output.ts'
import { drawTable } from '../../terminal/table.ts'
import { PERMISSION_WORDS, permissionsIn } from '../access/permission-words.ts'
import { placeRows } from '../accounts/place-words.ts'

const whose = () => [
  new Option('-u, --user <name>', 'a user'),
  new Option('--group <name>', 'a group: all its members'),
  new Option('--folder <path>', 'a folder of the root; without it, the whole root'),
]

export const givePlaces = command({
  name: 'give <root>',
  summary: 'Give a root, or a folder of it, to a user or a group; takes effect at once',
  operations: ['roots.give'],
  options: [
    ...whose(),
    new Option('--name <name>', 'how it is listed; without it, as the root is called'),
    new Option(
      '--permissions <list>',
      `all that may be done in it, of ${PERMISSION_WORDS.join(', ')}; or all; or account for those of the account`,
    ),
  ],
  examples: [
    ['roots give photos --user anna', 'beside the own folder of anna, with her permissions'],
    ['roots give photos --group family --permissions view,download', 'its members may look and download there'],
    ['roots give photos --user bob --folder /2024 --name Pictures', 'a folder of it, under another name'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const { name } = invocation.values
    const body = { ...placeFrom(invocation), ...(typeof name === 'string' && { name }), ...permissionsFrom(invocation) }
    await answer(door, invocation.output, await door.call(givePlace, { body }))
  },
})

export const takePlaces = command({
  name: 'take <root>',
  summary: 'Take a root, or a folder of it, from a user or a group; its files stay',
  operations: ['roots.take'],
  options: [
    ...whose().slice(0, 2),
    new Option('--folder <path>', 'a folder of the root, if several were given'),
    new Option('-y, --yes', 'do not ask'),
  ],
  examples: [['roots take photos --user anna --yes', 'links that anna made there end, and come back with it']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const body = placeFrom(invocation)
    const { root, user, group } = body
    await confirmOrFail(invocation, `Take the root ${root} from ${user ?? group ?? 'nobody'}?`)
    await answer(door, invocation.output, await door.call(takePlace, { body }))
  },
})

function placeFrom(invocation: Invocation): { root: string; user?: string; group?: string; folder?: string } {
  const { user, group, folder } = invocation.values
  if ((typeof user === 'string') === (typeof group === 'string'))
    fail('INVALID_INPUT', 'say whose it is, with either --user or --group', { field: 'user' })
  return {
    root: wordOf(invocation),
    ...(typeof user === 'string' && { user }),
    ...(typeof group === 'string' && { group }),
    ...(typeof folder === 'string' && { folder }),
  }
}

function permissionsFrom({ values: { permissions } }: Invocation): { permissions?: PathPermission[] | 'account' } {
  if (typeof permissions !== 'string') return {}
  if (permissions === 'account') return { permissions }
  return { permissions: permissions === 'all' ? [...PATH_PERMISSIONS] : permissionsIn(permissions) }
}

/** All places that the user or the group has now. */
async function answer(door: Door, output: Output, places: readonly GivenPlace[]): Promise<void> {
  const roots = places.length === 0 ? [] : await door.call(listRoots, {})
  const answered: Answer = {
    json: places,
    ids: places.map(({ root }) => root),
    text: () => drawTable(['ROOT', 'FOLDER', 'NAME', 'PERMISSIONS', 'RULES'], placeRows(places, roots), output),
  }
  await output.answer(answered)
}
