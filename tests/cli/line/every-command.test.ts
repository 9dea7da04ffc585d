import { closeSync, openSync } from 'node:fs'
import { expect, it } from 'vitest'
import { COMMANDS } from '../../../src/cli/line/command-list.ts'
import { allCommands } from '../../../src/cli/program/command.ts'
import { FileOutput } from '../../../src/cli/terminal/standard-output.ts'
import { type CommandLine, ELSEWHERE, LINES, walkCommands } from '../../helpers/cli/command-lines.ts'
import { runHere } from '../../helpers/cli/run-here.ts'
import { testStore } from '../../helpers/cli/test-store.ts'

const HANGS = { timeout: 900_000 }

it('every command has a line', async () => {
  const names = (await allCommands(COMMANDS)).map(({ path }) => path.join(' '))
  expect(Object.keys(LINES).concat(ELSEWHERE).toSorted()).toEqual(names.toSorted())
})

/** The ids that a list prints with --quiet. */
async function idsOf({ name, run }: CommandLine): Promise<string[]> {
  const quiet = await run('--quiet')
  expect(quiet, name).toMatchObject({ code: 0, stderr: '' })
  return quiet.stdout.split('\n').slice(0, -1)
}

/** What changes nothing and may print a table. */
const SHOWS = /^(.+ )?(ls|show|status|arrivals|uploads)$|^(why|logs|du|settings get|server get)$/

const isList = ({ name }: CommandLine) => name.endsWith(' ls')

/** Bytes that are no text, no answer and no password. */
const JUNK = Uint8Array.from([0, 255, 254, 10, 27, 91, 65, 3, 4, 26, 0xd8, 0, 10])
const ESCAPE = '\u001b'

it(
  'every command prints one JSON value with --json, ids with --quiet, and tables that fit a terminal',
  HANGS,
  async () => {
    await walkCommands(true, async (line) => {
      const { name, words, run } = line
      const { code, stdout, stderr } = await run('--json', { stdin: JUNK })
      const sound = name === 'doctor' ? [0, 1] : [0]
      expect({ words, sound: sound.includes(code ?? -1), stderr: code === 0 ? '' : stderr }).toEqual({
        words,
        sound: true,
        stderr: '',
      })
      expect(stdout, name).toMatch(/\S/)
      expect(unconventional(JSON.parse(stdout)), name).toEqual([])
      if (SHOWS.test(name)) {
        const screen = await run('', { columns: 80, env: { TERM: 'dumb' } })
        expect(screen.stdout, name).not.toContain(ESCAPE)
        // The first line of a table has headings only.
        const isTable = /^[A-Z][A-Z0-9 ]+$/m.test(screen.stdout.split('\n', 1)[0] ?? '')
        if (isTable) expect(tooWide(screen.stdout), name).toEqual([])
      }
      if (!isList(line)) return []
      const ids = await idsOf(line)
      expect(ids, name).toHaveLength(listIn(JSON.parse(stdout)).length)
      expect(
        ids.filter((id) => !/^\S+$/.test(id)),
        name,
      ).toEqual([])
      return ids
    })
  },
)

it.each([
  ['beside a daemon', true],
  ['without a daemon', false],
])('every command says that there is no room for its output, %s', HANGS, async (_, beside) => {
  await walkCommands(beside, async (line) => {
    const { name, run } = line
    const needed = NEEDS_DAEMON.get(name)
    if (!beside && needed !== undefined) {
      expect(await run('', { stdout: fullOutput() }), name).toMatchObject({ code: needed, stderr: oneLine })
      return []
    }
    const ids = isList(line) ? await idsOf(line) : []
    const { code, stderr } = await run('', { stdout: fullOutput() })
    expect({ name, code, lines: stderr.split('\n').filter((each) => each.startsWith('filemgr: ')) }).toEqual({
      name,
      code: 8,
      lines: [expect.stringMatching(/standard output cannot be written \(no space left\)$/) as string],
    })
    expect(stderr, name).not.toMatch(/^ +at /m)
    return ids
  })
})

function fullOutput(): FileOutput {
  const fd = openSync('/dev/full', 'w')
  return new FileOutput(fd).once('error', () => closeSync(fd))
}

const oneLine: unknown = expect.stringMatching(/^filemgr: [^\n]+\n$/)

/** What commands that talk to the daemon fail with when there is none. */
const NEEDS_DAEMON = new Map([
  ...['status', 'open', 'jobs ls', 'jobs cancel'].map((name) => [name, 7] as const),
  ...['put', 'get', 'ls', 'du', 'rename', 'extract', 'compress'].map((name) => [name, 3] as const),
])

it('the help of every command fits a terminal of 80 columns, and has no escape sequences where there must be none', async () => {
  const all = await allCommands(COMMANDS)
  const groups = new Set(all.flatMap(({ path }) => (path.length === 2 ? [path[0] ?? ''] : [])))
  for (const path of [[], ...[...groups].map((name) => [name]), ...all.map(({ path }) => path)]) {
    for (const [flag, options] of [
      ['--help', { columns: 80, env: { NO_COLOR: '1' } }],
      ['-h', { columns: 80, env: { TERM: 'dumb' } }],
      ['--help', { env: { FORCE_COLOR: '1' } }],
    ] as const) {
      const { code, stdout } = await runHere([...path, flag], options)
      const name = [...path, flag].join(' ')
      expect({ name, code, wide: tooWide(stdout), escapes: stdout.includes(ESCAPE) }).toEqual({
        name,
        code: 0,
        wide: [],
        escapes: false,
      })
    }
  }
})

function tooWide(text: string): string[] {
  return text.split('\n').filter((line) => line.length > 80)
}

/** Where a value breaks a rule of docs/guide/scripts.md. */
function unconventional(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => unconventional(item, `${at}[${index}]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    const place = `${at}.${name}`
    const isTime = TIMES.has(name)
    const isWrong =
      /^\d+$|ID$|_id$|[dns]At$/.test(name) ||
      (isTime && inner !== null && (typeof inner !== 'string' || !ISO.test(inner))) ||
      (!isTime && typeof inner === 'string' && /^\d{4}-\d\d-\d\dT/.test(inner))
    return [...(isWrong ? [`${place}: ${JSON.stringify(inner)}`] : []), ...unconventional(inner, place)]
  })
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
/** The names of all times. */
const TIMES = new Set([
  ...['created', 'modified', 'deleted', 'expires', 'started', 'ended', 'since', 'until', 'time', 'counted'],
  ...['lastSeen', 'lastUsed', 'lastOpened', 'lastArrived', 'arrived', 'touched', 'linked'],
])

/** The list itself, or the list among the values of an object. */
function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value)
    ? value
    : (Object.values(value as object).find((part) => Array.isArray(part)) as unknown[])
}

it('no command colours its output in a pipe', async () => {
  await using store = await testStore()
  for (const line of [['users', 'ls'], ['server', 'get'], ['--help']]) {
    expect((await store.run(line, { env: { FORCE_COLOR: '1' } })).stdout).not.toContain(ESCAPE)
  }
})
