import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../src/api/index.ts'
import { COMMANDS } from '../../../src/cli/command-list.ts'
import { allCommands } from '../../../src/cli/command-tree.ts'

/** Operations for administrators that have no command, each with its reason. */
const WITHOUT_COMMAND: Readonly<Record<string, string>> = {}

/** Commands that are more than the API can do, because the person at the terminal may do more. */
const WITHOUT_OPERATION: Readonly<Record<string, string>> = {
  serve: 'there is no API without a daemon',
  'users export': 'hashes of passwords never leave by the wire',
  'users import': 'hashes of passwords never come by the wire',
  init: 'there is no API without a store',
  status: 'answers when the daemon does not',
  open: 'starts a program on this machine',
  doctor: 'looks at this machine',
  import: 'reads files of this machine',
  hash: 'needs no store',
  version: 'needs no store',
  'shares prune': 'the daemon does so by itself',
  completion: 'is about the command line itself',
}

const commands = await allCommands(COMMANDS)
const covered = new Set(commands.flatMap(({ command }) => command.operations ?? []))

describe('every task of an administrator', () => {
  const administrative = OPERATIONS.filter(({ access, id }) => access === 'admin' && !(id in WITHOUT_COMMAND))

  it.each(administrative.map(({ id }) => id))('%s has a command', (id) => {
    expect(covered).toContain(id)
  })
})

describe('every command', () => {
  it('names operations that exist', () => {
    const ids = OPERATIONS.map(({ id }) => id)
    expect([...covered].filter((id) => !ids.includes(id))).toEqual([])
  })

  it.each(commands.map(({ path, command }) => [path.join(' '), command] as const))(
    '%s has an operation or a reason, and examples',
    (name, command) => {
      expect((command.operations ?? []).length > 0).toBe(!(name in WITHOUT_OPERATION))
      expect(command.examples.length).toBeGreaterThan(0)
      for (const [line] of command.examples) expect(line.startsWith(name)).toBe(true)
    },
  )
})
