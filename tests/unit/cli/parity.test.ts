import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../src/api/index.ts'
import { COMMANDS } from '../../../src/cli/line/command-list.ts'
import { allCommands } from '../../../src/cli/program/command.ts'
import { HANDLERS } from '../../../src/operations/handlers.ts'
import { operationImports, pageCalls } from '../../helpers/unit/page-calls.ts'

/** Operations for administrators that have no command, each with its reason. */
const WITHOUT_COMMAND: Readonly<Record<string, string>> = {
  'rules.whyIf': 'asks about a form that is not saved; commands save at once',
}

/** Commands that do what the API cannot, each with its reason. */
const WITHOUT_OPERATION: Readonly<Record<string, string>> = {
  serve: 'there is no API without a daemon',
  init: 'there is no API without a store',
  status: 'answers when the daemon does not',
  'service install': 'changes this machine',
  'service remove': 'changes this machine',
  'service status': 'answers when the daemon does not',
  open: 'starts a program on this machine',
  doctor: 'looks at this machine',
  'store copy': 'works on two stores, one of which no daemon uses',
  hash: 'needs no store',
  version: 'needs no store',
  put: 'is itself a client of the API',
  get: 'is itself a client of the API',
  ls: 'is itself a client of the API',
  du: 'is itself a client of the API',
  rename: 'is itself a client of the API',
  extract: 'is itself a client of the API',
  compress: 'is itself a client of the API',
  completion: 'is about the command line itself',
}

/** Operations that the page does not call, each with its reason. */
const NOT_FOR_THE_PAGE: Readonly<Record<string, string>> = {
  'server.live': 'is for monitors',
  'server.ready': 'is for monitors',
  'server.openapi': 'describes the wire to programs',
  'settings.get': 'is for clients of File Browser; the page reads what they do not know, too',
  'settings.update': 'is for clients of File Browser; the page saves what they do not know, too',
  'identities.link': 'is for administrators who know what a provider calls a person',
  'providers.callback': 'is the address to which a provider sends the browser',
  'providers.logout': 'is what a provider calls',
  'shares.get': 'is for programs that follow one link; the lists of the page say as much of each',
  'shares.remove': 'is for clients of File Browser and commands; the page deletes one link as it deletes several',
  'public.append': 'is made by the tus client, which is given the address of "public.send"',
  'uploads.append': 'is made by the tus client, which is given the address of "uploads.begin"',
}

/** What only the operator may do. */
const operatorOnly = [...HANDLERS.values()].flatMap(({ operation }) =>
  operation.access === 'operator' ? [operation] : [],
)
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
    const ids = [...OPERATIONS, ...operatorOnly].map(({ id }) => id)
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

describe('every operation of the API', () => {
  const ids = OPERATIONS.map(({ id }) => id)

  it('is called by the page, or has a reason not to be', async () => {
    const called = await pageCalls()
    const excused = Object.keys(NOT_FOR_THE_PAGE)
    expect(ids.filter((id) => !called.has(id) && !excused.includes(id))).toEqual([])
    expect([...called].filter((id) => !ids.includes(id))).toEqual([])
  })

  it('has no such reason any more once the page calls it', async () => {
    const called = await pageCalls()
    expect(Object.keys(NOT_FOR_THE_PAGE).filter((id) => called.has(id) || !ids.includes(id))).toEqual([])
  })

  it('is found in imports of values, over several lines and under another name, but not in imports of types', () => {
    const source = `
      import type { Operation } from '../../../src/api/operation.ts'
      import { login, type Login, renew as again } from '../../src/api/auth.ts'
      import {
        createUser,
      } from '../../../../src/api/users.ts'`
    expect(operationImports(source)).toEqual([
      { module: 'auth.ts', name: 'login' },
      { module: 'auth.ts', name: 'renew' },
      { module: 'users.ts', name: 'createUser' },
    ])
    expect(() => operationImports("import * as users from '../../src/api/users.ts'")).toThrow('name what is imported')
  })
})
